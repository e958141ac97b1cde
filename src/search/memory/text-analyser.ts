import { analyseDocument, analyseQuery, type Partition, partitionOf, type QueryConcept } from '../analysis/analysis.ts'

/** What the engine needs from text analysis; injected, so that tests of ranking can use a trivial one. */
export interface TextAnalyser {
  /** The partition a document in this language belongs to. */
  partitionOf(language: string): Partition
  /** Calls `emit` for each occurrence of a term; returns the text's length for BM25. */
  analyseDocument(partition: Partition, text: string, emit: (term: string) => void): number
  analyseQuery(text: string): readonly QueryConcept[]
}

/** The analysis of `search/analysis`; the query's words decide its language. */
export const languageAnalyser: TextAnalyser = {
  partitionOf,
  analyseDocument,
  analyseQuery: (text) => analyseQuery(text, null),
}
