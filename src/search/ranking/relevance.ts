/**
 * How likely a hit is what was asked for, from 0 to 1, unlike scores comparable between queries: from the share of the
 * query's words that it has, and from its cosine. Measured in docs/maintainers/search-quality.md.
 */

/** From this relevance on, a hit counts as one that was meant. Below it, hits match by chance. */
export const RELEVANT = 0.2

/** What all words of the query are worth by themselves. */
const WORDS_WORTH = 0.85
/** Cosines that mean nothing, and that mean the same. */
const COSINES = { nothing: 0.5, same: 0.9 }
/** The same for a document in another language than the query, whose words it cannot have: all cosines are lower. */
const FOREIGN_COSINES = { nothing: 0.25, same: 0.6 }

/**
 * Words and meaning as independent evidence: 1 - (1 - words) (1 - meaning).
 * @param cover share of the query's words that the hit has, by their weight, 0 to 1
 * @param cosine of the query's vector and the hit's nearest passage; 0 without vectors
 * @param isForeign whether the hit is surely in another language than the query
 */
export function relevanceOf(cover: number, cosine: number, isForeign = false): number {
  const words = WORDS_WORTH * cover * cover
  const { nothing, same } = isForeign ? FOREIGN_COSINES : COSINES
  const meaning = Math.min(1, Math.max(0, (cosine - nothing) / (same - nothing)))
  return 1 - (1 - words) * (1 - meaning)
}

/**
 * The cosine from which a hit with this cover reaches `minimum`; minus infinity if its words suffice, infinity if no
 * cosine does.
 */
export function leastCosine(cover: number, minimum: number, isForeign = false): number {
  if (relevanceOf(cover, -1) >= minimum) return -Infinity
  if (relevanceOf(cover, 1) < minimum) return Infinity
  const words = WORDS_WORTH * cover * cover
  const { nothing, same } = isForeign ? FOREIGN_COSINES : COSINES
  return nothing + (1 - (1 - minimum) / (1 - words)) * (same - nothing)
}
