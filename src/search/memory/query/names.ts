import type { SearchRequest } from '../../engine.ts'
import type { KeywordStatistics } from './keyword.ts'
import { unitOf } from './pins.ts'
import { FULL_SHARE, type WordCover } from './word-cover.ts'

/** The bonus for documents whose names the query has, which `named` of a request asks for. */
export interface Names {
  /** By segment and slot, how well the query names the document, in whole hundredths. */
  readonly matches: readonly Uint8Array[]
  /** Score that each hundredth adds, in the unit of the mode's score. */
  readonly step: number
  /** Score that a whole match adds, in the same unit. */
  readonly most: number
}

/**
 * Returns the bonus for names, or null when the request asks for none or the query has no words.
 * @param cover null when the query has no words
 */
export function namesOf(
  request: SearchRequest,
  statistics: KeywordStatistics | null,
  cover: WordCover | null,
): Names | null {
  if (request.named === undefined || request.mode === 'semantic' || cover === null) return null
  const most = request.named.bonus * unitOf(request, statistics)
  return { matches: cover.names, step: most / FULL_SHARE, most }
}
