import type { SearchRequest } from '../../engine.ts'
import type { KeywordStatistics } from './keyword.ts'

/** The documents that a request pins, and the score that they gain. */
export interface Pins {
  /** By segment, the slots of the pinned documents. */
  readonly parts: readonly ReadonlySet<number>[]
  /** Score that each pinned document gains, in the unit of the mode's score. */
  readonly bonus: number
}

/**
 * Returns the pins of a request, or null when it pins no document, as most requests.
 * @param pinned by segment, the slots of the pinned documents
 */
export function pinsOf(
  request: SearchRequest,
  pinned: readonly (readonly number[])[] | null,
  statistics: KeywordStatistics | null,
): Pins | null {
  if (pinned === null) return null
  return { parts: pinned.map((slots) => new Set(slots)), bonus: request.pin!.bonus * unitOf(request, statistics) }
}

/** Returns the score that a bonus or boost of 1 stands for: the highest that the query's words can reach. */
export function unitOf({ mode }: SearchRequest, statistics: KeywordStatistics | null): number {
  return mode === 'keyword' ? statistics!.bm25Max : 1
}
