import { useLanguage } from '../../i18n/language.tsx'
import { Button } from '../../parts/layout/button.tsx'
import { Block } from './block.tsx'
import type { Facet } from './queries.ts'
import { useProductsWords } from './words.ts'

type Value = NonNullable<Facet['values']>[number]

/** Shows the way to the chosen category, and the categories directly below it. */
export function Categories(props: {
  readonly facet: Facet | undefined
  readonly chosen: string | null
  readonly onChoose: (path: string | null) => void
}) {
  const words = useProductsWords()
  const { formats } = useLanguage()
  const { facet, chosen, onChoose } = props
  const values = facet?.values ?? []
  if (values.length === 0 && chosen === null) return null
  const way = wayTo(chosen, values)
  const below = values.filter(({ parent }) => (parent ?? null) === chosen)
  return (
    <Block title={words.category}>
      <ul className="plain-list">
        {chosen === null ? null : (
          <li>
            <Button kind="quiet" size="small" onPress={() => onChoose(null)}>
              {words.allCategories}
            </Button>
          </li>
        )}
        {way.map(({ value, name }, level) => (
          <li key={value} className={`facet-line facet-level-${Math.min(level, 3)}`}>
            <Button
              kind="quiet"
              size="small"
              aria-current={value === chosen ? 'true' : undefined}
              onPress={() => onChoose(value)}
            >
              {name}
            </Button>
          </li>
        ))}
        {below.map(({ value, name, count }) => (
          <li key={value} className={`facet-line facet-level-${Math.min(way.length, 3)}`}>
            <Button kind="quiet" size="small" onPress={() => onChoose(value)}>
              {name ?? value}
            </Button>
            <span className="facet-count">{formats.number(count)}</span>
          </li>
        ))}
      </ul>
    </Block>
  )
}

function wayTo(chosen: string | null, values: readonly Value[]): readonly { value: string; name: string }[] {
  const way: { value: string; name: string }[] = []
  let at = chosen
  while (at !== null && !way.some(({ value }) => value === at)) {
    const path: string = at
    const category = values.find(({ value }) => value === path)
    way.unshift({ value: path, name: category?.name ?? path })
    at = category?.parent ?? null
  }
  return way
}
