/** Keeps the concepts of a long query that say most. */
import type { QueryConcept } from '../analysis/analysis.ts'
import { idf } from './bm25.ts'
import { worthOf } from './expansion.ts'

/** A search looks for at most this many concepts. */
export const CONCEPTS_MAX = 64

/**
 * The `CONCEPTS_MAX` concepts of the highest worth, in the order of the query: rare words before frequent ones and
 * before parts of words, and all of them before what no visible document has.
 * @param frequencyOf how many visible documents have a concept
 * @param documents number of visible documents
 */
export function boundConcepts(
  asked: readonly QueryConcept[],
  frequencyOf: (concept: QueryConcept) => number,
  documents: number,
): readonly QueryConcept[] {
  if (asked.length <= CONCEPTS_MAX) return asked
  const judged = asked.map((concept, at) => {
    const frequency = frequencyOf(concept)
    return { concept, at, worth: frequency === 0 ? 0 : worthOf(concept, idf(documents, frequency)) }
  })
  const kept = judged.sort((a, b) => b.worth - a.worth || a.at - b.at).slice(0, CONCEPTS_MAX)
  return kept.sort((a, b) => a.at - b.at).map(({ concept }) => concept)
}
