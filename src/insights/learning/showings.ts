import type { Database } from '../../platform/database/database.ts'
import { threadSlices } from '../../platform/threads/slices.ts'
import type { Showing } from './learning.ts'
import {
  type IdentifiedSearch,
  type OwnClick,
  ownClicks,
  pagesOf,
  type Place,
  searchesBefore,
  SLICE_SEARCHES,
} from './showing-store.ts'
import { type Origin, Voters } from './voters.ts'

const DAY_MS = 86_400_000

/**
 * The searches of one query in which somebody who can be told apart clicked, as far as they are heard: the newest
 * first, in slices between which other work gets its turn. Whoever searches without end is looked at and passed over,
 * and keeps nobody out.
 */
export async function showingsOf(
  database: Database,
  place: Place,
  queryKey: string,
  signal?: AbortSignal,
): Promise<Showing[]> {
  const voters = new Voters(place.areTrusted)
  const showings: Showing[] = []
  let last: IdentifiedSearch | null = null
  while (!voters.isFull) {
    const slice: IdentifiedSearch[] = await searchesBefore(database.queries, place, queryKey, last)
    const open = slice.filter((search) => voters.mayBeHeard(visitorOf(search).visitor))
    const clicks = Map.groupBy(await ownClicks(database, place.tenantId, open), (click) => click.search_id)
    const heard = open.filter(
      (search) => clicks.has(search.id) && voters.hear(originOf(search, clicks.get(search.id)!)),
    )
    for (const { id, page_offset: before, shown } of await pagesOf(database, place.tenantId, heard)) {
      const search = heard.find((each) => each.id === id)!
      showings.push({
        ...originOf(search, clicks.get(id)!),
        shown: (JSON.parse(shown) as string[]).map((productId, i) => ({ productId, rank: before + i + 1 })),
        clicked: new Set(clicks.get(id)!.map((click) => click.product_id)),
      })
    }
    if (slice.length < SLICE_SEARCHES || signal?.aborted) break
    last = slice[slice.length - 1]
    await threadSlices.pause(place.tenantId)
  }
  return showings
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
