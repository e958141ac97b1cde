import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import type { Config } from '../../config.ts'
import { requireUpdatable } from '../../platform/database/migrate.ts'
import { secretFile } from '../../platform/secret-file.ts'
import { BackupError, isBackup, type Manifest, readManifest } from './manifest.ts'
import { restorePostgresData } from './postgres-data.ts'
import { secretNoteOf } from './secret-note.ts'
import { restoreSqliteData } from './sqlite-data.ts'
import { isFolder } from './staging.ts'

/**
 * Restores a backup into the empty place that the settings name: a data directory without a database, or a PostgreSQL
 * database without tables. After a failure or a crash the place has no part of the data.
 * @param options.anyKey whether to restore without the key that opens the sealed values of the backup
 * @throws BackupError, MigrationError when the backup is of a newer program, or too old
 */
export async function restoreBackup(
  config: Config,
  path: string,
  options: { readonly anyKey: boolean; readonly signal?: AbortSignal },
): Promise<Manifest> {
  const manifest = requireManifest(path)
  requireUpdatable(manifest.migrations)
  requireSameKind(config, path, manifest)
  if (!options.anyKey) requireKey(config, path, manifest)
  if (manifest.database === 'sqlite') await restoreSqliteData(config.dataDir, path, manifest)
  else await restorePostgresData(config, path, manifest, options.signal)
  return manifest
}

/** @throws BackupError when the path is not a backup; the message names the newest one in a folder of backups */
function requireManifest(path: string): Manifest {
  const manifest = readManifest(path)
  if (manifest !== null) return manifest
  if (!isFolder(path)) throw new BackupError(`There is no backup at ${path}: a backup is a folder with backup.json.`)
  const newest = readdirSync(path)
    .filter((name) => isBackup(join(path, name)))
    .toSorted()
    .at(-1)
  if (newest === undefined)
    throw new BackupError(`${path} is not a backup: it has no backup.json, or one that no backup has.`)
  throw new BackupError(`${path} is a folder of backups. Name one of them, such as ${join(path, newest)}`)
}

function requireSameKind({ databaseUrl }: Config, path: string, { database }: Manifest): void {
  if (database === 'sqlite' && databaseUrl !== null)
    throw new BackupError(`${path} is a backup of SQLite. Unset DATABASE_URL to restore it into DATA_DIR.`)
  if (database === 'postgres' && databaseUrl === null)
    throw new BackupError(`${path} is a backup of PostgreSQL. Set DATABASE_URL to an empty database to restore it.`)
}

/** @throws BackupError when the restored installation would have another key than the one that was backed up */
function requireKey(config: Config, path: string, { secret }: Manifest): void {
  if (secret.fingerprint === null) return
  const here = secretNoteOf(config)
  if (here.kept === 'none' && secret.kept === 'file') return
  if (here.fingerprint === secret.fingerprint) return
  const [what, todo] =
    here.kept === 'none'
      ? [`${path} was made with a SECRET_KEY, which is not set`, 'Set it']
      : here.kept === 'setting'
        ? ['SECRET_KEY is another key than the one of the backup', 'Set that one']
        : [`${secretFile(config.dataDir)} is another key than the one of the backup`, 'Put that one in its place']
  throw new BackupError(`${what}. ${todo}, or use --any-key to go on without what the key opens.`)
}
