import type { Caller } from '../../../platform/access/caller.ts'
import type { Facet } from '../../../search/request/contract.ts'
import type { CompiledFacet } from '../../../search/request/facets.ts'
import type { Category } from '../../categories/contract.ts'
import type { CategoryRules } from '../../categories/rules.ts'

/** Turns counts of categories into counts of their subtrees, in facets that ask for the hierarchy. */
export async function withSubtreeCounts(
  caller: Caller,
  categories: Pick<CategoryRules, 'withAncestors'>,
  compiledFacets: readonly CompiledFacet[],
  facets: readonly Facet[],
): Promise<Facet[]> {
  return Promise.all(
    facets.map(async (facet, i) => {
      const { hierarchy, limit } = compiledFacets[i]
      if (hierarchy !== 'categories' || facet.values === undefined) return facet
      const ids = facet.values.map(({ value }) => value)
      return { ...facet, values: subtreeCounts(facet.values, await categories.withAncestors(caller, ids), limit) }
    }),
  )
}

type Values = NonNullable<Facet['values']>
type NamedCategory = Pick<Category, 'id' | 'parent_id' | 'name'>

function subtreeCounts(values: Values, categories: readonly NamedCategory[], limit: number): Values {
  const byId = new Map(categories.map((category) => [category.id, category]))
  const counts = new Map<string, number>()
  for (const { value, count } of values) {
    // When another request moves categories meanwhile, their parents may look like a circle.
    const line = new Set<string>()
    for (let id: string | null = value; id !== null && !line.has(id); id = byId.get(id)?.parent_id ?? null) line.add(id)
    for (const id of line) counts.set(id, (counts.get(id) ?? 0) + count)
  }
  return Array.from(counts, ([value, count]) => {
    const category = byId.get(value)
    return { value, count, ...(category === undefined ? {} : { name: category.name, parent: category.parent_id }) }
  })
    .sort((a, b) => b.count - a.count || (a.value < b.value ? -1 : 1))
    .slice(0, limit)
}
