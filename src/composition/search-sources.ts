import { answers } from '../platform/database/connect.ts'
import { type DatabaseOptions, openDatabase } from '../platform/database/database.ts'
import { Standby } from '../platform/database/standby.ts'
import { SEARCHABLE_ENTRIES } from '../knowledge/entries/indexing/index-source.ts'
import { SEARCHABLE_PRODUCTS } from '../shop/products/indexing/index-source.ts'
import type { IndexSource } from '../search/engine.ts'
import { indexSource } from '../search/indexing/index-source.ts'

interface SourceOptions extends DatabaseOptions {
  /** A streaming replica of the database, which indexes are read from where it is far enough. */
  readonly replicaUrl?: string | null
}

/** Loaded by the search thread. The sources of its indexes, with their own database connection. */
export async function createSources({
  replicaUrl = null,
  ...options
}: SourceOptions): Promise<{ sources: IndexSource[]; check(): Promise<void>; close(): Promise<void> }> {
  const database = openDatabase({ ...options, readOnly: true, poolMax: 2 })
  const standby =
    replicaUrl === null
      ? null
      : new Standby(openDatabase({ ...options, databaseUrl: replicaUrl, readOnly: true, poolMax: 2 }))
  const sources = [
    indexSource(database, SEARCHABLE_ENTRIES, standby),
    indexSource(database, SEARCHABLE_PRODUCTS, standby),
  ]
  return {
    sources,
    check: () => answers(database),
    async close() {
      await Promise.all([database.close(), standby?.close()])
    },
  }
}
