import type { SearchRequest } from '../../engine.ts'
import type { KeywordStatistics } from './keyword.ts'

/** The documents that a request pins, and what their scores gain. */
export interface Pins {
  /** By segment, the slots of the pinned documents. */
  readonly parts: readonly ReadonlySet<number>[]
  /** In the unit of the mode's score. */
  readonly bonus: number
}

/**
 * @param pinned by segment, the slots of the pinned documents
 * @returns null when the request pins none, as most do
 */
export function pinsOf(
  request: SearchRequest,
  pinned: readonly (readonly number[])[] | null,
  statistics: KeywordStatistics | null,
): Pins | null {
  if (pinned === null) return null
  return { parts: pinned.map((slots) => new Set(slots)), bonus: request.pin!.bonus * unitOf(request, statistics) }
}

/** The score that a bonus or boost of 1 stands for: the most that the query's words can reach. */
export function unitOf({ mode }: SearchRequest, statistics: KeywordStatistics | null): number {
  return mode === 'keyword' ? statistics!.whole : 1
}
