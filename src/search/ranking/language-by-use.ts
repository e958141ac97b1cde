/** Judges the language of a query whose own words do not show it by the documents that use them. */
import { type Partition, PARTITIONS, type QueryConcept } from '../analysis/analysis.ts'

/** How the visible documents use words. */
export interface Use {
  /** How many visible documents a partition has. */
  documents(partition: Partition): number
  /** How many of them contain the term. */
  frequency(partition: Partition, term: string): number
}

/** How much likelier the language must be than any other, as a natural logarithm. */
const ADVANTAGE = 1

/**
 * The partition whose documents use the query's words most, by naive Bayes. Rates of a partition with few documents lean
 * to the rate in all, as if it had one document more of that rate.
 * @returns null if no partition has a clear advantage, or only one has documents
 */
export function languageByUse(concepts: readonly QueryConcept[], use: Use): Partition | null {
  const found = PARTITIONS.map((partition) => ({
    partition,
    documents: use.documents(partition),
    likelihood: 0,
  })).filter(({ documents }) => documents > 0)
  if (found.length < 2) return null
  const all = found.reduce((sum, { documents }) => sum + documents, 0)
  // A compound's parts exist in German only, so they would speak for German.
  for (const { terms } of concepts.filter(({ weight }) => weight === 1)) {
    const frequencies = found.map(({ partition }) => {
      const term = terms[partition]
      return term === null ? 0 : use.frequency(partition, term)
    })
    const total = frequencies.reduce((sum, frequency) => sum + frequency, 0)
    if (total === 0) continue
    for (const [i, each] of found.entries()) {
      each.likelihood += Math.log((frequencies[i] + total / all) / (each.documents + 1))
    }
  }
  const [best, next] = found.sort((a, b) => b.likelihood - a.likelihood)
  return best.likelihood - next.likelihood >= ADVANTAGE ? best.partition : null
}
