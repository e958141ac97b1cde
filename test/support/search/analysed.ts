import { analysingDocument, type Partition, type TermSink } from '../../../src/search/analysis/analysis.ts'
import { drain } from '../../../src/platform/threads/steps.ts'

/** Analyses a text in one go. @returns its length for BM25 */
export function analyseDocument(partition: Partition, text: string, emit: TermSink): number {
  return drain(analysingDocument(partition, text, emit))
}
