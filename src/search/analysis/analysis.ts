/**
 * How text becomes terms. A document is analysed in its own language, so the same word may have
 * another stem in German than in English; a query is analysed once per partition, and what it asks
 * for is a list of concepts that are found under a different term in each.
 */

/** Documents analysed alike: German, English, and everything else (folded, not stemmed). */
export const PARTITIONS = ['de', 'en', 'other'] as const
export type Partition = (typeof PARTITIONS)[number]

/** One thing a query asks for. */
export interface QueryConcept {
  /** As the user wrote it, for explanations. */
  readonly text: string
  /** How much it counts in BM25 and in coverage, over 0; 1 for a word, less for a compound's part. */
  readonly weight: number
  /** The term it has in each partition; null where that partition's documents cannot contain it. */
  readonly terms: Readonly<Record<Partition, string | null>>
}
