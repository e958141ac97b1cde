import { useState } from 'react'
import { Form as AriaForm } from 'react-aria-components'
import { useLanguage } from '../../i18n/language.tsx'
import { Button } from '../../parts/layout/button.tsx'
import { TextField } from '../../parts/fields/text-field.tsx'
import { Block } from './facets.tsx'
import type { Facet } from './queries.ts'
import { useAsked } from './use-asked.ts'
import { useProductsWords } from './words.ts'

/** The range of prices, as people type it: "19,90" and "19.90" are the same. */
export function PriceFilter({ facet }: { readonly facet: Facet | undefined }) {
  const words = useProductsWords()
  const { formats } = useLanguage()
  const { asked, set } = useAsked()
  const [min, setMin] = useState(asked.min === undefined ? '' : String(asked.min))
  const [max, setMax] = useState(asked.max === undefined ? '' : String(asked.max))
  const { min: lowest, max: highest } = facet ?? {}
  if (typeof lowest !== 'number' && asked.min === undefined && asked.max === undefined) return null
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
