import type { Config } from '../../config.ts'
import { openDatabase, type Tx } from '../../platform/database/database.ts'
import { pendingMigrations } from '../../platform/database/migrate.ts'
import type { NewBackup } from './make-backup.ts'
import { recordRestore, recordSuccess } from './state-store.ts'

/**
 * Notes in the database that a command has made a backup, so that metrics, alerts and the doctor tell its age. A
 * database of an older schema may have no table for the note, and gets no note.
 */
export async function noteBackup(
  place: Pick<Config, 'dataDir' | 'databaseUrl'>,
  { path, manifest, tookMs }: NewBackup,
): Promise<void> {
  const success = { succeeded_at: Date.parse(manifest.begun_at), path, bytes: manifest.bytes, took_ms: tookMs }
  await note(place, (tx) => recordSuccess(tx, success))
}

/**
 * Notes in a restored database the backup that it came from, which then has all its data: so it counts as one of the time
 * of the restore. What was noted before, such as a failed backup, belongs to the place that was backed up and goes.
 */
export async function noteRestore(
  place: Pick<Config, 'dataDir' | 'databaseUrl'>,
  path: string,
  { bytes }: Pick<NewBackup['manifest'], 'bytes'>,
): Promise<void> {
  await note(place, (tx) => recordRestore(tx, { succeeded_at: Date.now(), path, bytes, took_ms: null }))
}

async function note(
  { dataDir, databaseUrl }: Pick<Config, 'dataDir' | 'databaseUrl'>,
  record: (tx: Tx) => Promise<void>,
): Promise<void> {
  const database = openDatabase({ dataDir, databaseUrl })
  try {
    if ((await pendingMigrations(database)).pending.length > 0) return
    await database.write(record)
  } finally {
    // A pool that never connected may fail to close, which does not matter here.
    await database.close().catch(() => undefined)
  }
}
