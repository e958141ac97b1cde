/** How hybrid search weighs words against meaning where a request lets the query decide. */
import { type Partition, PARTITIONS } from '../analysis/analysis.ts'

/** The cosine of this rank shows how far the best one stands out. */
export const SPREAD_RANK = 10
const WEIGHT_BASE = 0.2
const WEIGHT_BY_SPREAD = 2.5
/** The `vectorWeight` that leaves the measured weight as it is. */
const VECTOR_WEIGHT_MEASURED = 0.5

/** What of its cosine a document has in place of coverage, by partition; 0 where its words can be compared. */
export type Shares = Readonly<Record<Partition, number>>

/** The share of a document in another language than the query. */
const OTHER_LANGUAGE_SHARE = 0.7

/**
 * The weight of the cosine: the more one document stands out by meaning, the more meaning tells.
 * @param vectorWeight the tenant's, a factor
 * @param best the highest cosine
 * @param last the cosine of rank `SPREAD_RANK`, or the lowest where there are fewer
 */
export function weightOf(vectorWeight: number, best: number, last: number): number {
  return (vectorWeight / VECTOR_WEIGHT_MEASURED) * (WEIGHT_BASE + WEIGHT_BY_SPREAD * (best - last))
}

/**
 * A document in another language than the query cannot have its words, so its coverage says nothing.
 * @param language of the query; null while it is unsure, and then all coverage counts
 */
export function sharesOf(language: Partition | null): Shares {
  const shareOf = (partition: Partition): number =>
    language === null || partition === language ? 0 : OTHER_LANGUAGE_SHARE
  return Object.fromEntries(PARTITIONS.map((partition) => [partition, shareOf(partition)])) as Record<Partition, number>
}

/** @param share the document's, of `Shares` */
export function hybridScore(coverage: number, cosine: number, weight: number, share: number): number {
  return Math.max(coverage, share * cosine) + weight * cosine
}
