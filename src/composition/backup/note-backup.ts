import type { Config } from '../../config.ts'
import { openDatabase } from '../../platform/database/database.ts'
import { pendingMigrations } from '../../platform/database/migrate.ts'
import type { MadeBackup } from './make-backup.ts'
import { recordSuccess } from './state-store.ts'

/**
 * Notes a backup that a command has made in the database, so that metrics, alerts and the doctor tell how old it is.
 * Only a database with the schema of this program has a place for it.
 */
export async function noteBackup(
  { dataDir, databaseUrl }: Pick<Config, 'dataDir' | 'databaseUrl'>,
  { path, manifest, tookMs }: MadeBackup,
): Promise<void> {
  const database = openDatabase({ dataDir, databaseUrl })
  try {
    if ((await pendingMigrations(database)).pending.length > 0) return
    const made = { succeeded_at: Date.parse(manifest.begun_at), path, bytes: manifest.bytes, took_ms: tookMs }
    await database.write((tx) => recordSuccess(tx, made))
  } finally {
    // A pool that never connected may fail to close, which does not matter here.
    await database.close().catch(() => undefined)
  }
}
