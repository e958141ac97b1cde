import type { Tables } from './tables.ts'

/**
 * The tables of one kind of document. Every document has a row with `tenant_id`, `id`, `embedding_model` and `seq`, one
 * row of vectors per model, and a tombstone after its deletion.
 *
 * Kysely derives types from literal table names, but the names here depend on the kind. Code for every kind is
 * therefore SQL that inserts these names.
 */
export interface DocumentTables {
  readonly documents: keyof Tables
  readonly vectors: keyof Tables
  readonly tombstones: keyof Tables
  /** Column of vectors and tombstones that has the document's id. */
  readonly idColumn: string
}
