/**
 * Exports the language analysis for the search engines, which turns documents and queries into terms. Analysis stems
 * German and English, splits German compounds, and folds everything. docs/how-it-works/analysis.md describes it.
 */
export { analysingDocument, eachTermPlace, type TermSink } from './document.ts'
export { type Partition, PARTITIONS, partitionOf } from './partitions.ts'
export { titleKey, titleKeysOf } from './title-key.ts'
export { type QueryConcept, type QueryReading, readQuery } from './query.ts'
