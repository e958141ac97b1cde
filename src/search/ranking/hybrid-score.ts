/** Weighs words against meaning in a hybrid search whose request lets the query decide (`byQuery`). */
import { type Partition, PARTITIONS } from '../analysis/analysis.ts'

/** Rank whose cosine is compared with the best one, to see how far the best one stands out. */
export const SPREAD_RANK = 10
/** Weight of the cosine, and how much of it the query adds for each unit by which the best cosine stands out. */
const WEIGHTS = {
  static: { base: 0.2, bySpread: 2.5 },
  contextual: { base: 0.5, bySpread: 4 },
}
/** The `vectorWeight` with which the constants above were measured, and which leaves the weight as it is. */
const VECTOR_WEIGHT_MEASURED = 0.5

/** What may count in place of coverage, for a scaled cosine x: `slope` · x + `offset`, at most 1. */
export interface Instead {
  readonly slope: number
  readonly offset: number
}

/** By partition, what may count in place of the coverage of its documents; null where coverage alone counts. */
export type Shares = Readonly<Record<Partition, Instead | null>>

/** For documents in another language than the query, by the static model. */
const IN_OTHER_LANGUAGE: Instead = { slope: 0.7, offset: 0 }
/**
 * For all documents, by a contextual model, which compares texts of different languages like those of one: nothing at a
 * cosine of 0.2, and as much as all words at 0.6.
 */
const ACROSS_LANGUAGES: Instead = { slope: 2.5, offset: -0.5 }
/** Least share of the documents that a language must have to be one of several. */
const LANGUAGE_SHARE_MIN = 0.02

/**
 * Returns the weight of the cosine. The further one document stands out by meaning, the higher it is.
 * @param vectorWeight weight from the tenant's settings, a factor
 * @param best highest scaled cosine
 * @param last scaled cosine of rank `SPREAD_RANK`, or the lowest where there are fewer documents
 * @param isContextual whether the cosines are those of a contextual model, which deserve more
 */
export function weightOf(vectorWeight: number, best: number, last: number, isContextual = false): number {
  const { base, bySpread } = isContextual ? WEIGHTS.contextual : WEIGHTS.static
  return (vectorWeight / VECTOR_WEIGHT_MEASURED) * (base + bySpread * (best - last))
}

/**
 * Returns the shares for a query by its language. A document in another language cannot have the query's words, so that
 * its coverage says nothing.
 * @param language language of the query; null if it is not sure. Then coverage counts in all documents
 */
export function sharesOf(language: Partition | null): Shares {
  return sharesBy((partition) => (language === null || partition === language ? null : IN_OTHER_LANGUAGE))
}

/**
 * Returns the shares for a contextual model, where the documents have several languages. The query's language, which a
 * few words seldom show, does not matter: what fits by meaning counts as if it had the words.
 * @param documents returns the number of visible documents of a partition
 */
export function sharesAcross(documents: (partition: Partition) => number): Shares {
  const counts = PARTITIONS.map(documents)
  const least = LANGUAGE_SHARE_MIN * counts.reduce((sum, count) => sum + count, 0)
  const areMixed = counts.filter((count) => count > 0 && count >= least).length > 1
  return sharesBy(() => (areMixed ? ACROSS_LANGUAGES : null))
}

function sharesBy(shareOf: (partition: Partition) => Instead | null): Shares {
  return Object.fromEntries(PARTITIONS.map((partition) => [partition, shareOf(partition)])) as Record<
    Partition,
    Instead | null
  >
}

/** Returns what counts in place of a document's coverage, if it is more. @param cosine scaled cosine of the document */
export function insteadOf(share: Instead | null, cosine: number): number {
  return share === null ? 0 : Math.min(1, share.slope * cosine + share.offset)
}

/**
 * Returns the score of a document.
 * @param cosine scaled cosine of the document
 * @param share share of the document's partition
 */
export function hybridScore(coverage: number, cosine: number, weight: number, share: Instead | null): number {
  return Math.max(coverage, insteadOf(share, cosine)) + weight * cosine
}
