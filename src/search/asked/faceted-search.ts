import type { Filter, SearchAnswer, SearchEngine, SearchRequest } from '../engine.ts'
import type { Facet } from './contract.ts'
import { type AskedFacet, facetsOf, requestOf } from './facets.ts'
import { type CompiledFilter, filterOf } from './filter.ts'

interface FacetedAnswer {
  readonly answer: SearchAnswer
  /** In the order of `asked`. */
  readonly facets: Facet[]
}

/**
 * Searches with a filter and facets. What the filter says about one field alone does not narrow the facets of that
 * field: these are counted by searches of their own, which the engine answers together with the first one.
 * @param fixed what else must hold, for every facet
 */
export async function facetedSearch(
  engine: SearchEngine,
  request: SearchRequest,
  { fixed, filter, asked }: { fixed: Filter; filter: CompiledFilter; asked: readonly AskedFacet[] },
): Promise<FacetedAnswer> {
  const isChosen = ({ field }: AskedFacet): boolean =>
    filter.conjuncts.some(({ fields }) => fields.size === 1 && fields.has(field))
  const shared = asked.filter((facet) => !isChosen(facet))
  const chosen = Map.groupBy(asked.filter(isChosen), ({ field }) => field)
  const search = (facets: readonly AskedFacet[], exceptField: string | null): Promise<SearchAnswer> => {
    const whole = filter.conjuncts.length === 0 ? fixed : { all: [fixed, filterOf(filter, exceptField)] }
    const limit = exceptField === null ? {} : { offset: 0, limit: 0, explain: false, passages: false }
    const counted = facets.length === 0 ? {} : { facets: requestOf(facets) }
    return engine.search({ ...request, ...limit, ...counted, filter: whole })
  }
  const [answer, ...others] = await Promise.all([
    search(shared, null),
    ...Array.from(chosen, ([field, facets]) => search(facets, field)),
  ])
  const counts = new Map<AskedFacet, Facet>()
  const note = (facets: readonly AskedFacet[], from: SearchAnswer): void => {
    if (facets.length === 0) return
    for (const [i, facet] of facetsOf(facets, from.facets!).entries()) counts.set(facets[i], facet)
  }
  note(shared, answer)
  for (const [i, facets] of [...chosen.values()].entries()) note(facets, others[i])
  return { answer, facets: asked.map((facet) => counts.get(facet)!) }
}
