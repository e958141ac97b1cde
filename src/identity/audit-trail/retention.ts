import { setTimeout as pause } from 'node:timers/promises'
import type { Database } from '../../platform/database/database.ts'
import { deleteOldest, oldestAt } from './store.ts'

/** Records that one transaction deletes, which takes some milliseconds. */
const STEP_ROWS = 500
const PAUSE_MS = 20

/**
 * Deletes the audit records of a tenant that were made before a time, in small transactions with pauses.
 * @param before milliseconds since 1970
 * @param isEnding tells whether the process is ending; the deletion then stops
 * @returns number of deleted records
 */
export async function deleteRecordsBefore(
  database: Database,
  tenantId: string,
  before: number,
  isEnding: () => boolean,
): Promise<number> {
  const oldest = await oldestAt(database.queries, tenantId)
  if (oldest === null || oldest >= before) return 0
  let total = 0
  let count = STEP_ROWS
  while (count > 0 && !isEnding()) {
    count = await database.write((tx) => deleteOldest(tx, tenantId, before, STEP_ROWS), tenantId)
    total += count
    if (count > 0) await pause(PAUSE_MS)
  }
  return total
}
