import type { Database } from '../../platform/database/database.ts'
import type { BackupStateRow } from '../../platform/database/tables.ts'
import { dataSince, readState } from './state-store.ts'

const HOUR_MS = 3_600_000
const DAY_MS = 24 * HOUR_MS
/** A last backup that is more intervals old than this is a concern: no service makes backups. */
const LATE_TIMES = 2
/** Age at which the last backup by command is a concern, where the service makes none. */
const LATE_MS = 2 * DAY_MS

export type BackupState = Pick<BackupStateRow, 'succeeded_at' | 'path' | 'bytes' | 'took_ms' | 'failed_at' | 'failure'>

/** How the settings say that the installation is backed up. */
export interface BackupPlan {
  /** Hours between two backups; null when the service makes none by itself. */
  readonly everyHours: number | null
  /** Whether other means than the service and `knowledge backup` do it. */
  readonly elsewhere: 'on' | 'off'
}

/** What the database knows of backups. */
export interface BackupFacts {
  /** The last complete and the last failed backup; null before the first. */
  readonly last: BackupState | null
  /** When the installation was made, once there is data to back up: null while it has neither entries nor products. */
  readonly dataSince: number | null
}

/** Returns the state of the last complete and the last failed backup; null before the first. */
export async function backupState({ queries }: Pick<Database, 'queries'>): Promise<BackupState | null> {
  return readState(queries)
}

/** Reads what the database knows of backups. */
export async function backupFacts({ queries }: Pick<Database, 'queries'>): Promise<BackupFacts> {
  return { last: await readState(queries), dataSince: await dataSince(queries) }
}

/**
 * Says what the operator must look after: a backup that failed or is overdue, or that there is none although an
 * installation with data is more than a day old. A restore counts as a backup: what it was restored from has all the
 * data.
 * @param now milliseconds since 1970
 * @returns null without a concern
 */
export function backupConcern(plan: BackupPlan, { last, dataSince: since }: BackupFacts, now: number): string | null {
  const { everyHours, elsewhere } = plan
  const succeededAt = last?.succeeded_at ?? null
  if (everyHours !== null && last !== null && last.failed_at !== null && last.failed_at > (succeededAt ?? 0)) {
    const when = succeededAt === null ? 'there is no good one' : `the last good one is of ${timeOf(succeededAt)}`
    return `The last backup failed, and ${when}. Why it failed: ${last.failure}`
  }
  if (succeededAt === null) {
    if (since === null || now - since <= DAY_MS || (everyHours === null && elsewhere === 'on')) return null
    return `There is no backup of this installation, which was set up at ${timeOf(since)}: ${HOW}`
  }
  if (everyHours !== null)
    return now - succeededAt > LATE_TIMES * everyHours * HOUR_MS
      ? `The last backup is of ${timeOf(succeededAt)}, long overdue: is the service running?`
      : null
  if (elsewhere === 'on' || now - succeededAt <= LATE_MS) return null
  return `The last backup is of ${timeOf(succeededAt)}: ${HOW}`
}

const HOW =
  'run knowledge backup every day, or set BACKUP_EVERY_HOURS. If other means back up the database, set ' +
  'BACKUP_ELSEWHERE=on'

function timeOf(at: number): string {
  return new Date(at).toISOString()
}
