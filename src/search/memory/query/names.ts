import type { SearchRequest } from '../../engine.ts'
import type { KeywordStatistics } from './keyword.ts'
import { unitOf } from './pins.ts'
import { ALL_WORDS, type WordCover } from './word-cover.ts'

/** What `named` of a request comes to. */
export interface Names {
  /** By segment and slot, in whole hundredths of `most / ALL_WORDS`. */
  readonly matches: readonly Uint8Array[]
  /** What one hundredth adds, and what all of them do, in the unit of the mode's score. */
  readonly step: number
  readonly most: number
}

/**
 * @param cover null when the query has no words
 * @returns null when the request does not ask for names, or the query has no words
 */
export function namesOf(
  request: SearchRequest,
  statistics: KeywordStatistics | null,
  cover: WordCover | null,
): Names | null {
  if (request.named === undefined || request.mode === 'semantic' || cover === null) return null
  const most = request.named.bonus * unitOf(request, statistics)
  return { matches: cover.names, step: most / ALL_WORDS, most }
}
