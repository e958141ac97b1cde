import { useState } from 'react'
import { useLanguage } from '../../i18n/language.tsx'
import { Button } from '../../parts/layout/button.tsx'
import { Checkbox } from '../../parts/fields/checkbox.tsx'
import { stockName } from '../../parts/text/stock.ts'
import { Block } from './block.tsx'
import { Categories } from './categories.tsx'
import { PriceFilter } from './price-filter.tsx'
import type { Facet } from './queries.ts'
import { useProductSearch } from './use-product-search.ts'
import { useProductsWords } from './words.ts'

const FIRST = 8

/** Shows the values to choose from, each with the number of products that it leads to. */
export function Facets({ facets }: { readonly facets: readonly Facet[] }) {
  const words = useProductsWords()
  const { language } = useLanguage()
  const { productSearch, set } = useProductSearch()
  const [category, brand, availability, price] = facets
  return (
    <div className="facets">
      <Categories
        facet={category}
        chosen={productSearch.category ?? null}
        onChoose={(path) => set({ category: path })}
      />
      <Ticks
        title={words.brand}
        facet={brand}
        chosen={productSearch.brand ?? []}
        nameOf={(value) => value}
        onChange={(chosen) => set({ brand: chosen })}
      />
      <Ticks
        title={words.stock}
        facet={availability}
        chosen={productSearch.availability ?? []}
        nameOf={(value) => stockName(value, language)}
        onChange={(chosen) => set({ availability: chosen })}
      />
      <PriceFilter key={`${productSearch.min} ${productSearch.max}`} facet={price} />
    </div>
  )
}

function Ticks(props: {
  readonly title: string
  readonly facet: Facet | undefined
  readonly chosen: readonly string[]
  readonly nameOf: (value: string) => string
  readonly onChange: (chosen: readonly string[]) => void
}) {
  const words = useProductsWords()
  const { formats } = useLanguage()
  const [isWhole, setWhole] = useState(false)
  const { title, facet, chosen, nameOf, onChange } = props
  const valuesWithProducts = facet?.values ?? []
  // A chosen value stays, also when no product has it any more.
  const valuesWithout = chosen.filter((each) => !valuesWithProducts.some(({ value }) => value === each))
  const values = [...valuesWithProducts, ...valuesWithout.map((value) => ({ value, count: 0 }))]
  if (values.length === 0) return null
  const listed = values.filter(({ value }, i) => isWhole || i < FIRST || chosen.includes(value))
  return (
    <Block title={title}>
      <ul className="plain-list">
        {listed.map(({ value, count }) => (
          <li key={value} className="facet-line">
            <Checkbox
              isSelected={chosen.includes(value)}
              onChange={(isOn) => onChange(isOn ? [...chosen, value] : chosen.filter((each) => each !== value))}
            >
              {nameOf(value)}
            </Checkbox>
            <span className="facet-count">{formats.number(count)}</span>
          </li>
        ))}
      </ul>
      {listed.length === values.length ? null : (
        <Button kind="quiet" size="small" onPress={() => setWhole(true)}>
          {words.more(formats.number(values.length))}
        </Button>
      )}
    </Block>
  )
}
