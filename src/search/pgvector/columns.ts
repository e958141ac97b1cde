/** Values of a replica's columns that come from a document. */
import { createHash } from 'node:crypto'
import type { IndexDocument } from '../engine.ts'
import { norm } from '../memory/columns/vector-column.ts'

/** One document of so many is in the sample. */
export const SAMPLE_SHARE = 32

/** Whether a document is in the sample that frequent words are counted in. Nothing but its id decides. */
export function isSampled(id: string): boolean {
  return createHash('sha256').update(id).digest()[0] % SAMPLE_SHARE === 0
}

/** PostgreSQL's text has no null character. */
export function sortKeyOf({ sortText = '' }: IndexDocument): string {
  return sortText.replaceAll('\u0000', '')
}

/** A vector at length 1, since half the precision has a small range; null for one without a direction. */
export function unitVectorText(vector: Float32Array): string | null {
  const length = norm(vector)
  if (!(length > 0) || !Number.isFinite(length)) return null
  return `[${Array.from(vector, (value) => (value / length).toPrecision(5)).join(',')}]`
}

/** How long a document's vectors are; null without any, 0 where they differ or are not all finite. */
export function vectorLength({ passages }: Pick<IndexDocument, 'passages'>): number | null {
  if (passages.length === 0) return null
  const { length } = passages[0].vector
  return passages.every(({ vector }) => vector.length === length && Number.isFinite(norm(vector))) ? length : 0
}
