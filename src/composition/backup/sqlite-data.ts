import { existsSync, linkSync } from 'node:fs'
import { join } from 'node:path'
import { isDeepStrictEqual } from 'node:util'
import { countRows } from '../../platform/database/contents.ts'
import { findAnyDamage } from '../../platform/database/damage.ts'
import { appliedMigrations } from '../../platform/database/migrate.ts'
import { withSnapshot } from '../../platform/database/snapshot.ts'
import { copySqlite } from '../../platform/database/sqlite-copy.ts'
import { databaseFile } from '../../platform/database/sqlite-file.ts'
import { BackupError, DATA_FILES, digestOf, type Manifest } from './manifest.ts'
import { restoreSecretFile } from './secret-note.ts'
import { copyPrivately, sync, withPart } from './staging.ts'

/** The part of a manifest that describes the data, once they are written and verified. */
export type DataCopy = Pick<Manifest, 'database' | 'dumped_by' | 'file' | 'migrations' | 'tables'>

const DAMAGED = /^SQLITE_(?:CORRUPT|NOTADB)/

/**
 * Copies the embedded database of a data directory into a folder, and verifies the copy.
 * @throws BackupError when the copy, and so the database itself, is damaged
 */
export async function copySqliteData(dataDir: string, folder: string): Promise<DataCopy> {
  try {
    copySqlite(databaseFile(dataDir), databaseFile(folder))
  } catch (error) {
    const { code = '', message } = error as { code?: string; message: string }
    if (!DAMAGED.test(code)) throw error
    throw new BackupError(`${databaseFile(dataDir)} is damaged (${message}): restore an earlier backup.`)
  }
  const verified = await verify(folder)
  return { database: 'sqlite', dumped_by: null, file: DATA_FILES.sqlite, ...verified }
}

/**
 * Puts the data and the secret key of a backup into a data directory without a database.
 * @throws BackupError when the directory has a database, or the backup is not as it was written
 */
export async function restoreSqliteData(dataDir: string, path: string, manifest: Manifest): Promise<void> {
  const target = databaseFile(dataDir)
  for (const file of [target, `${target}-wal`, `${target}-journal`]) if (existsSync(file)) throw occupied(dataDir)
  await withPart(dataDir, async (part) => {
    const copy = databaseFile(part)
    copyPrivately(join(path, manifest.file), copy)
    const { bytes, sha256 } = await digestOf(copy)
    const isAsWritten = bytes === manifest.bytes && sha256 === manifest.sha256
    if (!isAsWritten || !isDeepStrictEqual({ ...(await verify(part)).tables }, manifest.tables)) {
      throw new BackupError(`${join(path, manifest.file)} is not as it was written: it is damaged. Use another backup.`)
    }
    restoreSecretFile(path, part, dataDir)
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
 * Reads the whole database in a folder, and returns its migrations and the rows of each table.
 * @throws BackupError when it is damaged
 */
async function verify(folder: string): Promise<Pick<DataCopy, 'migrations' | 'tables'>> {
  return withSnapshot({ dataDir: folder, databaseUrl: null }, async (queries) => {
    const damage = await findAnyDamage(queries)
    if (damage !== null) throw new BackupError(`The copy of the database is damaged: ${damage}. Run knowledge doctor.`)
    return { migrations: await appliedMigrations(queries), tables: await countRows(queries) }
  })
}
