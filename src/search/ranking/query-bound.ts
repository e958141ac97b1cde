/** Bounds a long query to the concepts that say most. */
import type { QueryConcept } from '../analysis/analysis.ts'
import { idf } from './bm25.ts'
import { worthOf } from './expansion.ts'

/** Most concepts that a search looks for. */
export const CONCEPTS_MAX = 64

/**
 * Returns the `CONCEPTS_MAX` concepts of the highest worth, in the order of the query. Rare words are worth more than
 * frequent ones and than parts of words; a concept that no visible document has is worth nothing.
 * @param frequencyOf returns how many visible documents have a concept
 * @param documents number of visible documents
 */
export function boundConcepts(
  concepts: readonly QueryConcept[],
  frequencyOf: (concept: QueryConcept) => number,
  documents: number,
): readonly QueryConcept[] {
  if (concepts.length <= CONCEPTS_MAX) return concepts
  const candidates = concepts.map((concept, at) => {
    const frequency = frequencyOf(concept)
    return { concept, at, worth: frequency === 0 ? 0 : worthOf(concept, idf(documents, frequency)) }
  })
  const best = candidates.sort((a, b) => b.worth - a.worth || a.at - b.at).slice(0, CONCEPTS_MAX)
  return best.sort((a, b) => a.at - b.at).map(({ concept }) => concept)
}
