/**
 * Language analysis for the search engines: how documents and queries become terms. German and English
 * are stemmed, German compounds split, everything else is folded only. Described in docs/how-it-works/analysis.md.
 */
export { analyseDocument, eachTermPlace, type TermSink } from './document.ts'
export { type Partition, PARTITIONS, partitionOf } from './partitions.ts'
export { titleKey, titleKeysOf } from './title-key.ts'
export { type QueryConcept, type QueryReading, readQuery } from './query.ts'
