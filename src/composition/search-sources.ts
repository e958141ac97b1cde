import { answers } from '../platform/database/connect.ts'
import { type DatabaseOptions, openDatabase } from '../platform/database/database.ts'
import { Standby } from '../platform/database/standby.ts'
import { SEARCHABLE_ENTRIES } from '../knowledge/entries/indexing/index-source.ts'
import { SEARCHABLE_PRODUCTS } from '../shop/products/indexing/index-source.ts'
import { parseSettings } from '../identity/tenants/settings.ts'
import { statesOf } from '../platform/database/watermark.ts'
import type { IndexSource, TenantState } from '../search/engine.ts'
import { indexSource } from '../search/indexing/index-source.ts'

interface SourceOptions extends DatabaseOptions {
  /** Address of a streaming replica, from which indexes are read when it has reached the tenant's watermark. */
  readonly replicaUrl?: string | null
}

/** Opens the sources of indexes with their own database connection. The search thread loads and calls this. */
export async function createSources({ replicaUrl = null, ...options }: SourceOptions): Promise<{
  sources: IndexSource[]
  check(): Promise<void>
  statesOf(tenantIds: readonly string[]): Promise<readonly TenantState[]>
  close(): Promise<void>
}> {
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
    async statesOf(tenantIds) {
      const states = await statesOf(database, tenantIds)
      return states.map(({ settings, ...state }) => ({ ...state, engine: parseSettings(settings).searchEngine }))
    },
    async close() {
      await Promise.all([database.close(), standby?.close()])
    },
  }
}
