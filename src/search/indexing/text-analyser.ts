import {
  analysingDocument,
  type Partition,
  partitionOf,
  type QueryReading,
  readQuery,
  type TermSink,
} from '../analysis/analysis.ts'

/** The text analysis that an engine uses. It is a parameter, so that tests of ranking can pass a trivial one. */
export interface TextAnalyser {
  /** Returns the partition of documents in this language. */
  partitionOf(language: string): Partition
  /**
   * Calls `emit` for each occurrence of a term, with its share of a whole occurrence, in steps of about a millisecond.
   * @returns the text's length for BM25, as the return value of the generator
   */
  analysingDocument(partition: Partition, text: string, emit: TermSink): Generator<undefined, number>
  /** Analyses a query. */
  readQuery(text: string): QueryReading
}

/** The analysis in `search/analysis`. The words of a query decide its language. */
export const languageAnalyser: TextAnalyser = {
  partitionOf,
  analysingDocument,
  readQuery,
}
