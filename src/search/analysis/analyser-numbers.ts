import type { Partition } from './partitions.ts'

/**
 * Numbers of the analysers of documents. A change that gives a document of a partition other terms, another length or
 * another title key takes the next number of that partition, and one that moves a language to another partition those of
 * both; then indexes that were kept on disk are built again. How a long document is cut into pieces
 * (`indexing/prepared-document.ts`) is part of it.
 * `test/durability/snapshot-form.test.ts` fails where that was forgotten.
 */
export const ANALYSER_NUMBERS: Readonly<Record<Partition, number>> = { de: 1, en: 1, other: 1 }
