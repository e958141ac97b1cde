import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import type { Config } from '../../config.ts'
import { requireUpdatable } from '../../platform/database/migrate.ts'
import { BackupError, isBackup, type Manifest, manifestFile, readManifest } from './manifest.ts'
import { requireOwnFile } from './own-file.ts'
import { restorePostgresData } from './postgres-data.ts'
import { keyForRestore, type Restore } from './restored-key.ts'
import { restoreSqliteData } from './sqlite-data.ts'
import { isFolder, removeLeftovers } from './staging.ts'

/**
 * Restores a backup into the empty place that the settings name: a data directory without a database, or a PostgreSQL
 * database without tables. Everything in the backup is compared with its description before anything is written, and
 * the restored rows and seals before they appear. After a failure or a crash the place has no part of the data.
 * @param options.anyKey whether to restore without the key that opens the sealed values of the backup
 * @throws BackupError, MigrationError when the backup is of a newer program, or too old
 */
export async function restoreBackup(
  config: Config,
  path: string,
  options: Pick<Restore, 'anyKey' | 'signal'>,
): Promise<Manifest> {
  const manifest = requireBackup(path)
  requireUpdatable(manifest.migrations)
  requireSameKind(config, path, manifest)
  // A key that a killed restore has left is no key of this place.
  removeLeftovers(config.dataDir)
  const key = keyForRestore(config, path, manifest, options.anyKey)
  const restore: Restore = { path, manifest, key, ...options }
  if (manifest.database === 'sqlite') await restoreSqliteData(config.dataDir, restore)
  else await restorePostgresData(config, restore)
  return manifest
}

/**
 * Returns the description of a backup.
 * @throws BackupError when the path is not a backup; the message names the newest one in a folder of backups
 */
export function requireBackup(path: string): Manifest {
  const manifest = readManifest(path)
  if (manifest !== null) {
    requireOwnFile(manifestFile(path))
    return manifest
  }
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
