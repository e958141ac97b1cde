/** Weighs words against meaning in a hybrid search whose request lets the query decide (`byQuery`). */
import { type Partition, PARTITIONS } from '../analysis/analysis.ts'

/** Rank whose cosine is compared with the best one, to see how far the best one stands out. */
export const SPREAD_RANK = 10
const WEIGHT_BASE = 0.2
const WEIGHT_BY_SPREAD = 2.5
/** The `vectorWeight` with which the constants above were measured, and which leaves the weight as it is. */
const VECTOR_WEIGHT_MEASURED = 0.5

/**
 * By partition, the share of its cosine that a document gets in place of coverage; 0 in the partition of the query,
 * where words can be compared.
 */
export type Shares = Readonly<Record<Partition, number>>

/** The share of a document in another language than the query. */
const OTHER_LANGUAGE_SHARE = 0.7

/**
 * Returns the weight of the cosine. The further one document stands out by meaning, the higher it is.
 * @param vectorWeight weight from the tenant's settings, a factor
 * @param best highest scaled cosine
 * @param last scaled cosine of rank `SPREAD_RANK`, or the lowest where there are fewer documents
 */
export function weightOf(vectorWeight: number, best: number, last: number): number {
  return (vectorWeight / VECTOR_WEIGHT_MEASURED) * (WEIGHT_BASE + WEIGHT_BY_SPREAD * (best - last))
}

/**
 * Returns the shares for a query. A document in another language than the query cannot have the query's words, so that
 * its coverage says nothing.
 * @param language language of the query; null if it is not sure. Then coverage counts in all documents
 */
export function sharesOf(language: Partition | null): Shares {
  const shareOf = (partition: Partition): number =>
    language === null || partition === language ? 0 : OTHER_LANGUAGE_SHARE
  return Object.fromEntries(PARTITIONS.map((partition) => [partition, shareOf(partition)])) as Record<Partition, number>
}

/**
 * Returns the score of a document.
 * @param cosine scaled cosine
 * @param share share of the document's partition, from `sharesOf`
 */
export function hybridScore(coverage: number, cosine: number, weight: number, share: number): number {
  return Math.max(coverage, share * cosine) + weight * cosine
}
