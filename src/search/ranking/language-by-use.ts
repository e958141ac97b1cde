/** Guesses the language of a query from the documents that use its words, where the words alone do not show it. */
import { type Partition, PARTITIONS, type QueryConcept } from '../analysis/analysis.ts'

/** The use of words in the visible documents. */
export interface Use {
  /** Returns how many visible documents a partition has. */
  documents(partition: Partition): number
  /** Returns how many visible documents of the partition contain the term. */
  frequency(partition: Partition, term: string): number
}

/** Natural logarithm of how many times likelier the language must be than any other. */
const ADVANTAGE = 1

/**
 * Returns the partition whose documents use the query's words most, by naive Bayes. A partition's rate of a word is
 * smoothed towards the rate in all documents, as if the partition had one more document of that rate; this matters
 * where it has few.
 * @returns null if no partition has a clear advantage, or only one has documents
 */
export function languageByUse(concepts: readonly QueryConcept[], use: Use): Partition | null {
  const candidates = PARTITIONS.map((partition) => ({
    partition,
    documents: use.documents(partition),
    likelihood: 0,
  })).filter(({ documents }) => documents > 0)
  if (candidates.length < 2) return null
  const all = candidates.reduce((sum, { documents }) => sum + documents, 0)
  // A compound's parts exist in German only, so they would speak for German.
  for (const { terms } of concepts.filter(({ weight }) => weight === 1)) {
    const frequencies = candidates.map(({ partition }) => {
      const term = terms[partition]
      return term === null ? 0 : use.frequency(partition, term)
    })
    const total = frequencies.reduce((sum, frequency) => sum + frequency, 0)
    if (total === 0) continue
    for (const [i, each] of candidates.entries()) {
      each.likelihood += Math.log((frequencies[i] + total / all) / (each.documents + 1))
    }
  }
  const [best, next] = candidates.sort((a, b) => b.likelihood - a.likelihood)
  return best.likelihood - next.likelihood >= ADVANTAGE ? best.partition : null
}
