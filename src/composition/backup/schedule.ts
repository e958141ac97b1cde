import { randomUUID } from 'node:crypto'
import { readdirSync, renameSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import type { Config } from '../../config.ts'
import type { Database } from '../../platform/database/database.ts'
import { makeFolder } from '../../platform/database/sqlite-file.ts'
import type { BackupStateRow } from '../../platform/database/tables.ts'
import { runBackup } from './backup-process.ts'
import { BACKUP_NAME, isBackup, readManifest } from './manifest.ts'
import { claim, setState } from './state-store.ts'
import { PART_PREFIX, removeLeftovers } from './staging.ts'

const CHECK_MS = 60_000
/** How long a claim on the next backup lasts, so that another process can make it after the claimant died. */
const HELD_MS = 180_000
/** How long after the beginning of a failed backup the next attempt is due. */
const RETRY_MS = 600_000

interface ScheduleLog {
  info(details: object, message: string): void
  error(details: object, message: string): void
}

export interface BackupSchedule {
  /** Makes a backup if one is due. Waits for earlier checks first. @param now milliseconds since 1970 */
  check(now?: number): Promise<void>
  /** Ends a backup that is being made, which leaves nothing behind. */
  close(): Promise<void>
}

/**
 * Makes backups at an interval, each in a process of its own, and keeps the newest ones. Of all service processes on a
 * database, one makes the backup.
 * @param everyHours hours from the beginning of one backup to the beginning of the next
 */
export function startBackups(database: Database, config: Config, everyHours: number, log: ScheduleLog): BackupSchedule {
  const closing = new AbortController()
  const { signal } = closing
  const holder = randomUUID()
  const { folder, keep } = config.backup

  const makeDue = async (now: number): Promise<void> => {
    if (signal.aborted) return
    const due = {
      now,
      succeededBy: now - everyHours * 3_600_000,
      failedBy: now - RETRY_MS,
      heldUntil: now + HELD_MS,
    }
    if (!(await database.write((tx) => claim(tx, holder, due)))) return
    const renewal = setInterval(() => {
      const until = { held_until: Date.now() + HELD_MS }
      database.write((tx) => setState(tx, holder, until)).catch((error: unknown) => log.error({ err: error }, FAILED))
    }, HELD_MS / 3)
    const outcome = await make(now).finally(() => clearInterval(renewal))
    await database.write((tx) => setState(tx, holder, { ...outcome, holder: null, held_until: null }))
  }

  const make = async (now: number): Promise<Partial<BackupStateRow>> => {
    const startedAt = performance.now()
    try {
      makeFolder(folder)
      const path = await runBackup(config, folder, signal)
      const tookMs = Math.round(performance.now() - startedAt)
      const { bytes } = readManifest(path)!
      removeOldest(folder, keep)
      log.info({ path, bytes, tookMs }, 'backup made')
      return { succeeded_at: now, path, bytes, took_ms: tookMs }
    } catch (error) {
      if (signal.aborted) return {}
      const failure = (error as Error).message
      log.error({ failure, folder }, FAILED)
      return { failed_at: now, failure }
    }
  }

  let running: Promise<void> = Promise.resolve()
  // One check at a time, also when a backup takes longer than the interval.
  const check = (now: number = Date.now()): Promise<void> => {
    running = running.then(() => makeDue(now)).catch((error: unknown) => log.error({ err: error }, FAILED))
    return running
  }
  void check()
  const timer = setInterval(() => void check(), CHECK_MS)
  timer.unref()
  return {
    check,
    close: () => {
      closing.abort()
      clearInterval(timer)
      return running
    },
  }
}

const FAILED = 'a backup failed'

/**
 * Removes all backups of a folder but the newest. Each gets another name first: half removed, it must not seem whole.
 */
function removeOldest(folder: string, keep: number): void {
  const names = readdirSync(folder).filter((name) => BACKUP_NAME.test(name) && isBackup(join(folder, name)))
  for (const name of names.toSorted().slice(0, -keep)) {
    const leaving = join(folder, `${PART_PREFIX}${name}`)
    renameSync(join(folder, name), leaving)
    rmSync(leaving, { recursive: true, force: true })
  }
  removeLeftovers(folder)
}
