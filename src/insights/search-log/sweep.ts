import { setTimeout as pause } from 'node:timers/promises'
import type { Database } from '../../platform/database/database.ts'
import { workingTenants } from '../../identity/tenants/list-rules.ts'
import { parseSettings } from '../../identity/tenants/settings.ts'
import { deleteSaltsBefore } from './salt-store.ts'
import { deleteBefore } from './store.ts'
import { saltPeriodOf } from './visitors.ts'

const DAY_MS = 86_400_000
/** Rows deleted in one transaction: a few milliseconds, so that other writers get their turn. */
const BATCH_ROWS = 1_000
const PAUSE_MS = 20

/**
 * Deletes searches and clicks older than their tenant keeps them (`searchLogDays`), in small transactions with pauses,
 * and the salts of past periods. Suspended tenants keep what they have. Several processes may do this at once.
 * @returns how many searches and clicks were deleted
 */
export async function sweepLog(database: Database, options: { now: number; signal?: AbortSignal }): Promise<number> {
  const tenants = await workingTenants(database.queries)
  await database.write((tx) => deleteSaltsBefore(tx, saltPeriodOf(options.now)))
  let gone = 0
  for (const { tenant_id, settings } of tenants) {
    const before = options.now - parseSettings(settings).searchLogDays * DAY_MS
    for (const table of ['search_log', 'search_clicks'] as const) {
      gone += await sweepTable(database, table, tenant_id, before, options.signal)
    }
  }
  return gone
}

async function sweepTable(
  database: Database,
  table: 'search_log' | 'search_clicks',
  tenantId: string,
  before: number,
  signal?: AbortSignal,
): Promise<number> {
  let gone = 0
  for (;;) {
    if (signal?.aborted) return gone
    const deleted = await database.write((tx) => deleteBefore(tx, table, tenantId, before, BATCH_ROWS))
    gone += deleted
    if (deleted === 0) return gone
    await pause(PAUSE_MS)
  }
}
