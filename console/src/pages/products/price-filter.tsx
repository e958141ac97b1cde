import { useState } from 'react'
import { Form as AriaForm } from 'react-aria-components'
import { useLanguage } from '../../i18n/language.tsx'
import { Button } from '../../parts/layout/button.tsx'
import { TextField } from '../../parts/fields/text-field.tsx'
import { Block } from './block.tsx'
import type { Facet } from './queries.ts'
import { useProductSearch } from './use-product-search.ts'
import { useProductsWords } from './words.ts'

/** Asks for a range of prices as people type it: "19,90" and "19.90" are the same. */
export function PriceFilter({ facet }: { readonly facet: Facet | undefined }) {
  const words = useProductsWords()
  const { formats } = useLanguage()
  const { productSearch, set } = useProductSearch()
  const [min, setMin] = useState(productSearch.min === undefined ? '' : String(productSearch.min))
  const [max, setMax] = useState(productSearch.max === undefined ? '' : String(productSearch.max))
  const { min: lowest, max: highest } = facet ?? {}
  if (typeof lowest !== 'number' && productSearch.min === undefined && productSearch.max === undefined) return null
  return (
    <Block title={words.price}>
      {typeof lowest === 'number' && typeof highest === 'number' ? (
        <p className="facet-note">{words.priceRange(formats.number(lowest), formats.number(highest))}</p>
      ) : null}
      <AriaForm
        className="price-range"
        onSubmit={(event) => {
          event.preventDefault()
          set({ min: priceOf(min), max: priceOf(max) })
        }}
      >
        <TextField label={words.from} value={min} onChange={setMin} inputMode="decimal" />
        <TextField label={words.to} value={max} onChange={setMax} inputMode="decimal" />
        <Button type="submit" size="small">
          {words.apply}
        </Button>
      </AriaForm>
    </Block>
  )
}

function priceOf(typed: string): number | null {
  const plain = typed.trim().replace(',', '.')
  const price = Number(plain)
  return plain === '' || !Number.isFinite(price) || price < 0 ? null : price
}
