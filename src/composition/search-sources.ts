import { answers } from '../platform/database/connect.ts'
import { type DatabaseOptions, openDatabase } from '../platform/database/database.ts'
import { Standby } from '../platform/database/standby.ts'
import { SEARCHABLE_ENTRIES } from '../knowledge/entries/indexing/index-source.ts'
import { SEARCHABLE_PRODUCTS } from '../shop/products/indexing/index-source.ts'
import { parseSettings } from '../identity/tenants/settings.ts'
import { statesAfter, statesOf, type StoredState } from '../platform/database/watermark.ts'
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
  statesAfter(after: string, limit: number): Promise<readonly TenantState[]>
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
    statesOf: async (tenantIds) => (await statesOf(database, tenantIds)).map(withEngine),
    statesAfter: async (after, limit) => (await statesAfter(database, after, limit)).map(withEngine),
    async close() {
      await Promise.all([database.close(), standby?.close()])
    },
  }
}

/** Returns a tenant's state. The engine is read from the settings when it is asked for, which it rarely is. */
function withEngine({ settings, ...state }: StoredState): TenantState {
  return {
    ...state,
    get engine() {
      return parseSettings(settings).searchEngine
    },
  }
}
