import type { Caller } from '../../platform/access/caller.ts'
import { invalid } from '../../platform/faults.ts'
import type { Filter, SearchAnswer, SearchEngine, SearchRequest } from '../engine.ts'
import type { Facet } from './contract.ts'
import { type AskedFacet, facetsOf, requestOf } from './facets.ts'
import { type CompiledFilter, filterOf } from './filter.ts'

/** Facets that the filter chooses values of: each costs a search of its own. */
const CHOSEN_MAX = 10
/** The same for publishable keys, whose visitors nobody knows. */
const CHOSEN_BY_VISITORS_MAX = 6

interface FacetedAnswer {
  readonly answer: SearchAnswer
  /** In the order of `asked`. */
  readonly facets: Facet[]
}

/** What a search asks for besides the request itself. */
interface Asked {
  readonly caller: Pick<Caller, 'publishable' | 'countSearches'>
  /** What else must hold, for every facet. */
  readonly fixed: Filter
  readonly filter: CompiledFilter
  readonly asked: readonly AskedFacet[]
  /** Where the facets stand in the request. */
  readonly place: readonly string[]
}

/**
 * Searches with a filter and facets. What the filter says about one field alone does not narrow the facets of that
 * field: these are counted by searches of their own, which the engine answers together with the first one. Each counts
 * against the caller's rate limit.
 * @throws Fault invalid at the first facet too many, rate_limited with the seconds to wait
 */
export async function facetedSearch(
  engine: Pick<SearchEngine, 'search'>,
  request: SearchRequest,
  { caller, fixed, filter, asked, place }: Asked,
): Promise<FacetedAnswer> {
  const isChosen = ({ field }: AskedFacet): boolean =>
    filter.conjuncts.some(({ fields }) => fields.size === 1 && fields.has(field))
  const shared = asked.filter((facet) => !isChosen(facet))
  const chosen = Map.groupBy(asked.filter(isChosen), ({ field }) => field)
  requireFew(chosen, asked, place, caller.publishable === undefined ? CHOSEN_MAX : CHOSEN_BY_VISITORS_MAX)
  if (chosen.size > 0) caller.countSearches?.(chosen.size)
  const search = (facets: readonly AskedFacet[], exceptField: string | null): Promise<SearchAnswer> => {
    const whole = filter.conjuncts.length === 0 ? fixed : { all: [fixed, filterOf(filter, exceptField)] }
    const counted = facets.length === 0 ? {} : { facets: requestOf(facets) }
    return engine.search({ ...(exceptField === null ? request : countingOf(request)), ...counted, filter: whole })
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

function requireFew(
  chosen: ReadonlyMap<string, readonly AskedFacet[]>,
  asked: readonly AskedFacet[],
  place: readonly string[],
  most: number,
): void {
  if (chosen.size <= most) return
  const [tooMany] = [...chosen.values()][most]
  const msg = `At most ${most} facets should be of fields that the filter says something about`
  throw invalid([...place, `${asked.indexOf(tooMany)}`, 'field'], 'too_many_chosen', msg)
}

/**
 * The same search without hits. Only what decides which documents are found is left of it: what orders them is not
 * worth its time.
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
