import type { Tables } from './tables.ts'

/**
 * Where one kind of documents is kept. A document has a row of its own with `tenant_id`, `id`, `embedding_model` and
 * `seq`, a row of vectors for each model, and a tombstone once it is deleted.
 *
 * Kysely types a query by the names of its tables, which differ here from kind to kind. So what works on every kind
 * is written in SQL, with these names put in.
 */
export interface DocumentTables {
  readonly documents: keyof Tables
  readonly vectors: keyof Tables
  readonly tombstones: keyof Tables
  /** The column by which vectors and tombstones name their document. */
  readonly idColumn: string
}
