/**
 * Language analysis for the search engines: how documents and queries become terms. German and English
 * are stemmed, German compounds split, everything else is folded only. Described in docs/how-it-works/analysis.md.
 */
export { analyseDocument, eachTermPlace } from './document.ts'
export { type Partition, PARTITIONS, partitionOf } from './partitions.ts'
export { analyseQuery, type QueryConcept } from './query.ts'
