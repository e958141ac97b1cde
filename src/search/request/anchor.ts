import type { EmbeddedKind, VectorColumns } from '../../embedding/embedded-kind.ts'
import { decodeVector } from '../../embedding/vector-codec.ts'
import { meanOf } from '../../embedding/vectors.ts'
import type { Queries } from '../../platform/database/database.ts'
import { findVectors } from './anchor-store.ts'

/**
 * Returns the anchor of a document, the vector by which related documents are found: the vector of the text that was
 * written for this purpose, else the mean of the passages' vectors.
 * @param row the stored document
 * @returns a vector of length 1; null while the document has no vectors of the model
 */
export async function findAnchor<Row extends { readonly id: string }, Vectors extends VectorColumns>(
  db: Queries,
  kind: EmbeddedKind<Row, Vectors>,
  row: Row & { readonly tenant_id: string },
  model: string | null,
): Promise<Float32Array | null> {
  if (model === null) return null
  const stored = await findVectors(db, kind, row.tenant_id, row.id, model)
  if (stored === null) return null
  const anchor = stored[kind.anchorColumn] as Buffer | null
  return anchor === null ? meanOf(kind.passagesOf(row, stored).map(({ vector }) => vector)) : decodeVector(anchor)
}
