/**
 * Computes the relevance of a hit: how likely the hit is what was asked for, from 0 to 1. It follows from the share of
 * the query's words that the hit has, and from the hit's scaled cosine. Unlike a score, it is comparable between queries.
 * Measured in docs/maintainers/search-quality.md.
 */

/** Least relevance of a relevant hit. Hits below it match by chance. */
export const RELEVANT = 0.2

/** Relevance of a hit that has all words of the query, and a cosine that means nothing. */
const WORDS_WORTH = 0.85
/** Scaled cosines at and below which texts have nothing in common, and at and above which they mean the same. */
interface Borders {
  readonly nothing: number
  readonly same: number
}

/**
 * How a cosine is judged: that of a contextual model, of the static model, or of the static model for a document in
 * another language than the query, where all cosines are lower.
 */
export type Judgement = 'contextual' | 'static' | 'foreign'

const BORDERS: Readonly<Record<Judgement, Borders>> = {
  contextual: { nothing: 0.25, same: 0.6 },
  static: { nothing: 0.5, same: 0.9 },
  foreign: { nothing: 0.25, same: 0.6 },
}

/**
 * Returns the relevance of a hit. It takes words and meaning for independent evidence: 1 - (1 - words) (1 - meaning).
 * @param cover share of the query's words that the hit has, by their weight, 0 to 1
 * @param cosine scaled cosine of the query's vector and the hit's nearest passage; 0 without vectors
 *
 * @example
 * ```ts
 * const allWords = relevanceOf(1, 0)
 * const chance = relevanceOf(0.3, 0.1)
 * console.log(allWords >= RELEVANT, chance < RELEVANT)
 * ```
 */
export function relevanceOf(cover: number, cosine: number, judgement: Judgement = 'static'): number {
  const words = WORDS_WORTH * cover * cover
  const { nothing, same } = BORDERS[judgement]
  const meaning = Math.min(1, Math.max(0, (cosine - nothing) / (same - nothing)))
  return 1 - (1 - words) * (1 - meaning)
}

/**
 * Returns the least scaled cosine with which a hit of this cover reaches the relevance `minimum`; minus infinity if
 * its words suffice, infinity if no cosine does.
 */
export function leastCosine(cover: number, minimum: number, judgement: Judgement = 'static'): number {
  if (relevanceOf(cover, -1) >= minimum) return -Infinity
  if (relevanceOf(cover, 1) < minimum) return Infinity
  const words = WORDS_WORTH * cover * cover
  const { nothing, same } = BORDERS[judgement]
  return nothing + (1 - (1 - minimum) / (1 - words)) * (same - nothing)
}
