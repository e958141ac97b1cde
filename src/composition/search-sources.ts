import { type DatabaseOptions, openDatabase } from '../platform/database/database.ts'
import { entryIndexSource } from '../knowledge/entries/indexing/index-source.ts'
import { productIndexSource } from '../shop/products/indexing/index-source.ts'
import type { IndexSource } from '../search/engine.ts'

/** Loaded by the search thread. The sources of its indexes, with their own database connection. */
export async function createSources(
  options: DatabaseOptions,
): Promise<{ sources: IndexSource[]; close(): Promise<void> }> {
  const database = openDatabase({ ...options, readOnly: true, poolMax: 2 })
  return { sources: [entryIndexSource(database), productIndexSource(database)], close: () => database.close() }
}
