import { setTimeout as pause } from 'node:timers/promises'
import type { Database } from '../../platform/database/database.ts'
import { workingTenants } from '../../identity/tenants/list-rules.ts'
import { parseSettings } from '../../identity/tenants/settings.ts'
import { deleteSaltsBefore } from './salt-store.ts'
import { deleteBefore } from './store.ts'
import { saltPeriodOf } from './visitors.ts'

const DAY_MS = 86_400_000
/** Rows that one transaction deletes within a few milliseconds, so that other writers get their turn. */
const BATCH_ROWS = 1_000
const PAUSE_MS = 20

/**
 * Deletes searches and clicks that are older than the setting `searchLogDays` of their tenant allows, in small
 * transactions with pauses, and the salts of past periods. Searches and clicks of suspended tenants stay. Several
 * processes may sweep at once.
 * @returns number of deleted searches and clicks
 */
export async function sweepLog(database: Database, options: { now: number; signal?: AbortSignal }): Promise<number> {
  const tenants = await workingTenants(database.queries)
  await database.write((tx) => deleteSaltsBefore(tx, saltPeriodOf(options.now)))
  let total = 0
  for (const { tenant_id, settings } of tenants) {
    const before = options.now - parseSettings(settings).searchLogDays * DAY_MS
    for (const table of ['search_log', 'search_clicks'] as const) {
      total += await sweepTable(database, table, tenant_id, before, options.signal)
    }
  }
  return total
}

async function sweepTable(
  database: Database,
  table: 'search_log' | 'search_clicks',
  tenantId: string,
  before: number,
  signal?: AbortSignal,
): Promise<number> {
  let total = 0
  for (;;) {
    if (signal?.aborted) return total
    const count = await database.write((tx) => deleteBefore(tx, table, tenantId, before, BATCH_ROWS))
    total += count
    if (count === 0) return total
    await pause(PAUSE_MS)
  }
}
