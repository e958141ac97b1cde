import { type DatabaseOptions, openDatabase } from '../platform/database/database.ts'
import { entryIndexSource } from '../knowledge/entries/indexing/index-source.ts'
import { productIndexSource } from '../shop/products/indexing/index-source.ts'
import type { IndexSource } from '../search/engine.ts'

/** Loaded by the search worker's thread: what it indexes, read through a connection of its own. */
export async function createSources(
  options: DatabaseOptions,
): Promise<{ sources: IndexSource[]; close(): Promise<void> }> {
  const database = openDatabase({ ...options, readOnly: true, poolMax: 2 })
  return { sources: [entryIndexSource(database), productIndexSource(database)], close: () => database.close() }
}
