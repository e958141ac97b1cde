import { answers } from '../platform/database/connect.ts'
import { type DatabaseOptions, openDatabase } from '../platform/database/database.ts'
import { SEARCHABLE_ENTRIES } from '../knowledge/entries/indexing/index-source.ts'
import { SEARCHABLE_PRODUCTS } from '../shop/products/indexing/index-source.ts'
import type { IndexSource } from '../search/engine.ts'
import { indexSource } from '../search/index-source.ts'

/** Loaded by the search thread. The sources of its indexes, with their own database connection. */
export async function createSources(
  options: DatabaseOptions,
): Promise<{ sources: IndexSource[]; check(): Promise<void>; close(): Promise<void> }> {
  const database = openDatabase({ ...options, readOnly: true, poolMax: 2 })
  const sources = [indexSource(database, SEARCHABLE_ENTRIES), indexSource(database, SEARCHABLE_PRODUCTS)]
  return { sources, check: () => answers(database), close: () => database.close() }
}
