import type { SearchRequest } from '../../engine.ts'
import { type Bits, hasBit, setBit } from '../columns/bitset.ts'
import { borrowBits } from '../columns/borrowed-bits.ts'
import type { KeywordStatistics, SearchPart } from './keyword.ts'
import { unitOf } from './pins.ts'
import { ALL_WORDS, type WordCover } from './word-cover.ts'

/** What `allWords` of a request comes to. */
export interface AllWords {
  /** By segment, the eligible documents with all words of the query. Borrowed. */
  readonly complete: readonly Bits[]
  /** By segment, the eligible documents with enough of them to qualify. Borrowed. */
  readonly qualified: readonly Bits[]
  /** Whether so many visible documents have all words, some eligible ones among them, that no others qualify. */
  readonly areEnough: boolean
  /** In the unit of the mode's score. */
  readonly bonus: number
}

/**
 * @param cover null when the query has no words
 * @returns null when the request does not ask for all words, or the query has none
 */
export function allWordsOf(
  parts: readonly SearchPart[],
  request: SearchRequest,
  statistics: KeywordStatistics | null,
  cover: WordCover | null,
): AllWords | null {
  if (request.allWords === undefined || request.mode === 'semantic' || cover === null) return null
  const { enough, shareMin, bonus } = request.allWords
  const least = Math.max(1, Math.ceil(ALL_WORDS * shareMin))
  const complete = parts.map((part, i) => reaching(part, cover.shares[i], ALL_WORDS))
  const areEnough = cover.complete >= enough && complete.some((bits) => bits.some((word) => word !== 0))
  return {
    complete,
    qualified: areEnough ? complete : parts.map((part, i) => reaching(part, cover.shares[i], least)),
    areEnough,
    bonus: bonus * unitOf(request, statistics),
  }
}

/** The eligible documents with at least this share. */
function reaching({ segment, eligible }: SearchPart, shares: Uint8Array, least: number): Bits {
  const bits = borrowBits(segment.words)
  for (let slot = 0; slot < shares.length; slot++) {
    if (shares[slot] >= least && hasBit(eligible.bits, slot)) setBit(bits, slot)
  }
  return bits
}
