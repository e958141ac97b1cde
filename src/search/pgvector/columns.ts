/** Computes the values of a replica's columns from a document. */
import { createHash } from 'node:crypto'
import type { IndexDocument } from '../engine.ts'
import { norm } from '../memory/columns/vector-column.ts'

/** Number of documents for each one in the sample. */
export const SAMPLE_SHARE = 32

/** Tells whether a document is in the sample, in which frequent words are counted. Its id alone decides. */
export function isSampled(id: string): boolean {
  return createHash('sha256').update(id).digest()[0] % SAMPLE_SHARE === 0
}

/** Returns the text by which a document is sorted, without null characters, which PostgreSQL's text cannot have. */
export function sortKeyOf({ sortText = '' }: IndexDocument): string {
  return sortText.replaceAll('\u0000', '')
}

/**
 * Returns a vector at length 1 as text, since half precision has a small range; null for a vector without direction.
 */
export function unitVectorText(vector: Float32Array): string | null {
  const length = norm(vector)
  if (!(length > 0) || !Number.isFinite(length)) return null
  return `[${Array.from(vector, (value) => (value / length).toPrecision(5)).join(',')}]`
}

/**
 * Returns the dimensions of a document's vectors; null without vectors, 0 where they differ or a vector is not finite.
 */
export function vectorLength({ passages }: Pick<IndexDocument, 'passages'>): number | null {
  if (passages.length === 0) return null
  const { length } = passages[0].vector
  return passages.every(({ vector }) => vector.length === length && Number.isFinite(norm(vector))) ? length : 0
}
