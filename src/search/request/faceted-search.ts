import type { Caller } from '../../platform/access/caller.ts'
import { invalid } from '../../platform/faults.ts'
import type { Filter, SearchAnswer, SearchEngine, SearchRequest } from '../engine.ts'
import type { Facet } from './contract.ts'
import { type CompiledFacet, facetsOf, requestOf } from './facets.ts'
import { type CompiledFilter, filterOf } from './filter.ts'

/** Most fields that have both facets and conditions of their own in the filter. Each costs a further search. */
const CHOSEN_MAX = 10
/** The same for publishable keys, which anonymous visitors use. */
const CHOSEN_BY_VISITORS_MAX = 6

interface FacetedAnswer {
  readonly answer: SearchAnswer
  /** Counts, in the order of `compiledFacets`. */
  readonly facets: Facet[]
}

/** The filter and the facets of a search, besides the rest of its request. */
interface FilterAndFacets {
  readonly caller: Pick<Caller, 'publishable' | 'countSearches'>
  /** Condition that holds in the counts of every facet, beside `filter`. */
  readonly fixed: Filter
  /** The filter of the request. */
  readonly filter: CompiledFilter
  readonly compiledFacets: readonly CompiledFacet[]
  /** Place of the facets in the request, for faults. */
  readonly place: readonly string[]
}

/**
 * Searches with a filter and facets. A condition of the filter on one field alone does not narrow the counts of that
 * field. For each such field with facets, the engine runs a further search without the condition, together with the
 * first search. Each further search counts against the caller's rate limit.
 * @throws Fault invalid at the first facet too many, rate_limited with the seconds to wait
 */
export async function facetedSearch(
  engine: Pick<SearchEngine, 'search'>,
  request: SearchRequest,
  { caller, fixed, filter, compiledFacets, place }: FilterAndFacets,
): Promise<FacetedAnswer> {
  const isChosen = ({ field }: CompiledFacet): boolean =>
    filter.conjuncts.some(({ fields }) => fields.size === 1 && fields.has(field))
  const shared = compiledFacets.filter((facet) => !isChosen(facet))
  const chosen = Map.groupBy(compiledFacets.filter(isChosen), ({ field }) => field)
  requireFew(chosen, compiledFacets, place, caller.publishable === undefined ? CHOSEN_MAX : CHOSEN_BY_VISITORS_MAX)
  if (chosen.size > 0) caller.countSearches?.(chosen.size)
  const search = (facets: readonly CompiledFacet[], exceptField: string | null): Promise<SearchAnswer> => {
    const whole = filter.conjuncts.length === 0 ? fixed : { all: [fixed, filterOf(filter, exceptField)] }
    const counts = facets.length === 0 ? {} : { facets: requestOf(facets) }
    return engine.search({ ...(exceptField === null ? request : countingOf(request)), ...counts, filter: whole })
  }
  const [answer, ...others] = await Promise.all([
    search(shared, null),
    ...Array.from(chosen, ([field, facets]) => search(facets, field)),
  ])
  const counts = new Map<CompiledFacet, Facet>()
  const note = (facets: readonly CompiledFacet[], from: SearchAnswer): void => {
    if (facets.length === 0) return
    for (const [i, facet] of facetsOf(facets, from.facets!).entries()) counts.set(facets[i], facet)
  }
  note(shared, answer)
  for (const [i, facets] of [...chosen.values()].entries()) note(facets, others[i])
  return { answer, facets: compiledFacets.map((facet) => counts.get(facet)!) }
}

/**
 * Checks the number of fields that have facets and conditions of their own in the filter.
 * @throws Fault invalid at the first facet too many
 */
function requireFew(
  chosen: ReadonlyMap<string, readonly CompiledFacet[]>,
  compiledFacets: readonly CompiledFacet[],
  place: readonly string[],
  most: number,
): void {
  if (chosen.size <= most) return
  const [tooMany] = [...chosen.values()][most]
  const msg = `At most ${most} facets should be of fields that the filter says something about`
  throw invalid([...place, `${compiledFacets.indexOf(tooMany)}`, 'field'], 'too_many_chosen', msg)
}

/**
 * Returns the same search without hits. It keeps the parts of the request that decide which documents qualify, and
 * leaves out those that only order them, which would cost time for nothing.
 */
function countingOf(request: SearchRequest): SearchRequest {
  const { sort: _sort, boosts: _boosts, alternatives: _alternatives, rated, raises, ...rest } = request
  const qualifying = raises?.filter(({ qualifies }) => qualifies) ?? []
  return {
    ...rest,
    ...(rated === undefined || rated.min === null ? {} : { rated }),
    ...(qualifying.length === 0 ? {} : { raises: qualifying }),
    offset: 0,
    limit: 0,
    explain: false,
    passages: false,
  }
}
