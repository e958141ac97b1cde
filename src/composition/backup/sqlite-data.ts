import { existsSync, linkSync } from 'node:fs'
import { join } from 'node:path'
import { isDeepStrictEqual } from 'node:util'
import { countRows } from '../../platform/database/contents.ts'
import { findAnyDamage } from '../../platform/database/damage-checks.ts'
import type { Queries } from '../../platform/database/database.ts'
import { appliedMigrations } from '../../platform/database/migrate.ts'
import { withSnapshot } from '../../platform/database/snapshot.ts'
import { copySqlite } from '../../platform/database/sqlite-copy.ts'
import { databaseFile } from '../../platform/database/sqlite-file.ts'
import type { SecretSource } from '../../platform/secrets.ts'
import { countSeals } from '../seals/sealed.ts'
import { BackupError, DATA_FILES, digestOf, type Manifest } from './manifest.ts'
import { changed, requireWritten } from './own-file.ts'
import { putRestoredKey, type Restore, requireOpenSeals } from './restored-key.ts'
import { copyPrivately, sync, withPart } from './staging.ts'

/** The part of a manifest that describes the data, once they are written and verified. */
export type DataCopy = Pick<Manifest, 'database' | 'dumped_by' | 'file' | 'migrations' | 'tables' | 'seals'>

const DAMAGED = /^SQLITE_(?:CORRUPT|NOTADB)/

/**
 * Copies the embedded database of a data directory into a folder, and verifies the copy.
 * @throws BackupError when the copy, and so the database itself, is damaged
 */
export async function copySqliteData(place: SecretSource, folder: string): Promise<DataCopy> {
  const { dataDir } = place
  try {
    copySqlite(databaseFile(dataDir), databaseFile(folder))
  } catch (error) {
    const { code = '', message } = error as { code?: string; message: string }
    if (!DAMAGED.test(code)) throw error
    throw new BackupError(`${databaseFile(dataDir)} is damaged (${message}): restore an earlier backup.`)
  }
  const verified = await verify(folder, async (queries) => ({
    migrations: await appliedMigrations(queries),
    tables: await countRows(queries),
    seals: await countSeals(queries, place),
  }))
  return { database: 'sqlite', dumped_by: null, file: DATA_FILES.sqlite, ...verified }
}

/**
 * Puts the data and the secret key of a backup into a data directory without a database.
 * @throws BackupError when the directory has a database, or the backup is not as it was written
 */
export async function restoreSqliteData(dataDir: string, restore: Restore): Promise<void> {
  const { path, manifest, key, anyKey } = restore
  const target = databaseFile(dataDir)
  for (const file of [target, `${target}-wal`, `${target}-journal`]) if (existsSync(file)) throw occupied(dataDir)
  await requireWritten(path, manifest)
  await withPart(dataDir, async (part) => {
    const file = join(path, manifest.file)
    const copy = databaseFile(part)
    copyPrivately(file, copy)
    // The file could have changed after it was compared.
    if ((await digestOf(copy)).sha256 !== manifest.sha256) throw changed(file)
    await verify(part, async (queries) => {
      if (!isDeepStrictEqual(await countRows(queries), manifest.tables)) throw changed(file)
      if (!anyKey) await requireOpenSeals(queries, key, manifest)
    })
    putRestoredKey(key, part, dataDir)
    try {
      // Unlike a rename, a link never replaces a database that a process has just made.
      linkSync(copy, target)
    } catch (error) {
      throw (error as NodeJS.ErrnoException).code === 'EEXIST' ? occupied(dataDir) : error
    }
    sync(dataDir)
  })
}

const occupied = (dataDir: string): BackupError =>
  new BackupError(`${dataDir} has a database, and a restore replaces nothing. Set DATA_DIR to a folder without one.`)

/**
 * Reads the whole database in a folder, then what the caller wants of it.
 * @throws BackupError when it is damaged
 */
async function verify<T>(folder: string, read: (queries: Queries) => Promise<T>): Promise<T> {
  return withSnapshot({ dataDir: folder, databaseUrl: null }, async (queries) => {
    const damage = await findAnyDamage(queries)
    if (damage !== null) throw new BackupError(`The copy of the database is damaged: ${damage}. Run knowledge doctor.`)
    return read(queries)
  })
}
