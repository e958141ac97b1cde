import { type ReactNode, useId, useState } from 'react'
import { useLanguage } from '../../i18n/language.tsx'
import { Button } from '../../parts/layout/button.tsx'
import { Checkbox } from '../../parts/fields/checkbox.tsx'
import { stockName } from '../../parts/text/stock.ts'
import { Categories } from './categories.tsx'
import { PriceFilter } from './price-filter.tsx'
import type { Facet } from './queries.ts'
import { useAsked } from './use-asked.ts'
import { useProductsWords } from './words.ts'

const FIRST = 8

/** What can be chosen, each with how many products it leads to. */
export function Facets({ facets }: { readonly facets: readonly Facet[] }) {
  const words = useProductsWords()
  const { language } = useLanguage()
  const { asked, set } = useAsked()
  const [category, brand, availability, price] = facets
  return (
    <div className="facets">
      <Categories facet={category} chosen={asked.category ?? null} onChoose={(path) => set({ category: path })} />
      <Ticks
        title={words.brand}
        facet={brand}
        chosen={asked.brand ?? []}
        nameOf={(value) => value}
        onChange={(chosen) => set({ brand: chosen })}
      />
      <Ticks
        title={words.stock}
        facet={availability}
        chosen={asked.availability ?? []}
        nameOf={(value) => stockName(value, language)}
        onChange={(chosen) => set({ availability: chosen })}
      />
      <PriceFilter key={`${asked.min} ${asked.max}`} facet={price} />
    </div>
  )
}

export function Block({ title, children }: { readonly title: string; readonly children: ReactNode }) {
  const id = useId()
  return (
    <section className="facet" aria-labelledby={id}>
      <h2 id={id}>{title}</h2>
      {children}
    </section>
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
  const counted = facet?.values ?? []
  // What is chosen stays, also when nothing is left of it.
  const gone = chosen.filter((each) => !counted.some(({ value }) => value === each))
  const values = [...counted, ...gone.map((value) => ({ value, count: 0 }))]
  if (values.length === 0) return null
  const shown = values.filter(({ value }, i) => isWhole || i < FIRST || chosen.includes(value))
  return (
    <Block title={title}>
      <ul className="plain-list">
        {shown.map(({ value, count }) => (
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
      {shown.length === values.length ? null : (
        <Button kind="quiet" size="small" onPress={() => setWhole(true)}>
          {words.more(formats.number(values.length))}
        </Button>
      )}
    </Block>
  )
}
