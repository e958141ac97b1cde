import type { Database } from '../../platform/database/database.ts'
import { threadSlices } from '../../platform/threads/slices.ts'
import type { ClickedSearch } from './learning.ts'
import {
  type IdentifiedSearch,
  type OwnClick,
  ownClicks,
  pagesOf,
  type LogSelection,
  searchesBefore,
  SLICE_SEARCHES,
} from './clicked-search-store.ts'
import { type Origin, Voters } from './voters.ts'

const DAY_MS = 86_400_000

/**
 * Reads the searches of a query in which an identified visitor clicked, newest first, in slices with pauses for other
 * work. `Voters` limits how many searches of a visitor and of a network count, so that endless searches of one visitor
 * do not crowd out others.
 */
export async function clickedSearchesOf(
  database: Database,
  selection: LogSelection,
  queryKey: string,
  signal?: AbortSignal,
): Promise<ClickedSearch[]> {
  const voters = new Voters(selection.areTrusted)
  const searches: ClickedSearch[] = []
  let last: IdentifiedSearch | null = null
  while (!voters.isFull) {
    const slice: IdentifiedSearch[] = await searchesBefore(database.queries, selection, queryKey, last)
    const candidates = slice.filter((search) => voters.mayCount(visitorOf(search).visitor))
    const clicks = Map.groupBy(await ownClicks(database, selection.tenantId, candidates), (click) => click.search_id)
    const votes = candidates.filter(
      (search) => clicks.has(search.id) && voters.count(originOf(search, clicks.get(search.id)!)),
    )
    for (const { id, page_offset: before, shown } of await pagesOf(database, selection.tenantId, votes)) {
      const search = votes.find((each) => each.id === id)!
      searches.push({
        ...originOf(search, clicks.get(id)!),
        shown: (JSON.parse(shown) as string[]).map((productId, i) => ({ productId, rank: before + i + 1 })),
        clicked: new Set(clicks.get(id)!.map((click) => click.product_id)),
      })
    }
    if (slice.length < SLICE_SEARCHES || signal?.aborted) break
    last = slice[slice.length - 1]
    await threadSlices.pause(selection.tenantId)
  }
  return searches
}

function visitorOf({ user_id: userId, visitor }: IdentifiedSearch): Pick<Origin, 'visitor' | 'period'> {
  return userId === null
    ? { visitor: visitor!, period: Number(visitor!.split('.', 1)[0]) }
    : { visitor: `user ${userId}`, period: null }
}

function originOf(search: IdentifiedSearch, clicks: readonly OwnClick[]): Origin {
  const [first] = clicks
  return { ...visitorOf(search), day: Math.floor(first.at / DAY_MS), network: first.network }
}
