import type { SearchRequest } from '../engine.ts'
import type { KeywordStatistics } from './keyword.ts'

/** What the documents that a request wants first rank higher by. */
export interface Lifts {
  /** By segment, their slots. */
  readonly parts: readonly ReadonlySet<number>[]
  /** In the unit of the mode's score. */
  readonly lift: number
}

/**
 * @param lifted by segment, the slots of what the request wants first
 * @returns null when there is none, which is most searches
 */
export function liftsOf(
  request: SearchRequest,
  lifted: readonly (readonly number[])[] | null,
  statistics: KeywordStatistics | null,
): Lifts | null {
  if (lifted === null) return null
  return { parts: lifted.map((slots) => new Set(slots)), lift: request.first!.lift * unitOf(request, statistics) }
}

/** What lifts and boosts are shares of: all that the keyword half can reach. */
export function unitOf({ mode }: SearchRequest, statistics: KeywordStatistics | null): number {
  return mode === 'keyword' ? statistics!.whole : 1
}
