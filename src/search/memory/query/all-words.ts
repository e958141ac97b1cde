import type { SearchRequest } from '../../engine.ts'
import { type Bits, hasBit, setBit } from '../columns/bitset.ts'
import { borrowBits } from '../columns/borrowed-bits.ts'
import type { KeywordStatistics, SearchPart } from './keyword.ts'
import { unitOf } from './pins.ts'
import { FULL_SHARE, type WordCover } from './word-cover.ts'

/**
 * Effect of the option `allWords` of a request: which documents have all words and gain a bonus, and which have enough
 * words to be found at all. The sets are borrowed (`borrowed-bits.ts`).
 */
export interface AllWords {
  /** By segment, the eligible documents with all words of the query. */
  readonly complete: readonly Bits[]
  /** By segment, the eligible documents that qualify, because they have enough of the words. */
  readonly qualified: readonly Bits[]
  /**
   * Whether a document must be complete to qualify: at least `enough` visible ones are complete, and one of these is
   * eligible.
   */
  readonly mustBeComplete: boolean
  /** Score that a complete document gains, in the unit of the mode's score. */
  readonly bonus: number
}

/**
 * Returns the effect of `allWords`; null without that option, in semantic mode, and when the query has no words.
 * @param cover null when the query has no words
 */
export function allWordsOf(
  parts: readonly SearchPart[],
  request: SearchRequest,
  statistics: KeywordStatistics | null,
  cover: WordCover | null,
): AllWords | null {
  if (request.allWords === undefined || request.mode === 'semantic' || cover === null) return null
  const { enough, shareMin, bonus } = request.allWords
  const least = Math.max(1, Math.ceil(FULL_SHARE * shareMin))
  const complete = parts.map((part, i) => reaching(part, cover.shares[i], FULL_SHARE))
  const mustBeComplete = cover.complete >= enough && complete.some((bits) => bits.some((mask) => mask !== 0))
  return {
    complete,
    qualified: mustBeComplete ? complete : parts.map((part, i) => reaching(part, cover.shares[i], least)),
    mustBeComplete,
    bonus: bonus * unitOf(request, statistics),
  }
}

/** Returns the eligible documents whose share is at least `least`, in hundredths. */
function reaching({ segment, eligible }: SearchPart, shares: Uint8Array, least: number): Bits {
  const bits = borrowBits(segment.bitWords)
  for (let slot = 0; slot < shares.length; slot++) {
    if (shares[slot] >= least && hasBit(eligible.bits, slot)) setBit(bits, slot)
  }
  return bits
}
