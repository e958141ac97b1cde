import { join } from 'node:path'
import type { Readable } from 'node:stream'
import { isDeepStrictEqual } from 'node:util'
import type { Config } from '../../config.ts'
import { serverVersion } from '../../platform/database/connect.ts'
import { countRows, exportSnapshot, tableNames } from '../../platform/database/contents.ts'
import { openDatabase } from '../../platform/database/database.ts'
import { withDumpPlayer } from '../../platform/database/dump-player.ts'
import { appliedMigrations } from '../../platform/database/migrate.ts'
import { withSnapshot } from '../../platform/database/snapshot.ts'
import { poolingOf } from '../../platform/database/postgres-address.ts'
import { makeFile } from '../../platform/database/sqlite-file.ts'
import { countDumpedRows } from './dumped-rows.ts'
import { countSeals } from '../seals/sealed.ts'
import { BackupError, DATA_FILES } from './manifest.ts'
import { requireWritten } from './own-file.ts'
import { findPostgresPrograms, type PostgresPrograms, runPostgresProgram } from './postgres-programs.ts'
import { putRestoredKey, requireOpenSeals, type Restore, settleRestoredKey } from './restored-key.ts'
import { REPLICA_SCHEMA } from '../../platform/database/replica-schema.ts'
import type { DataCopy } from './sqlite-data.ts'
import { withPart } from './staging.ts'

const FILE = DATA_FILES.postgres

type PostgresPlace = Pick<Config, 'dataDir' | 'databaseUrl' | 'secretKey' | 'formerSecretKeys' | 'backup'>

/**
 * Dumps the PostgreSQL database of the settings into a folder, and compares the rows of the dump with those of the
 * database at the same moment.
 * @throws BackupError
 */
export async function dumpPostgresData(place: PostgresPlace, folder: string, signal?: AbortSignal): Promise<DataCopy> {
  const databaseUrl = serverAddress(place)
  const file = join(folder, FILE)
  makeFile(file)
  return withSnapshot({ dataDir: place.dataDir, databaseUrl }, async (queries) => {
    const { number } = await serverVersion(queries)
    const programs = await findPostgresPrograms(Math.floor(number / 10_000), place.backup.postgresBin)
    const snapshot = await exportSnapshot(queries)
    const args = [
      '--format=custom',
      '--no-owner',
      '--no-privileges',
      // Search replicas are built again; a server without pgvector must be able to restore the rest.
      `--exclude-schema=${REPLICA_SCHEMA}`,
      '--extension=plpgsql',
      `--snapshot=${snapshot}`,
      `--file=${file}`,
    ]
    await runPostgresProgram(programs, 'pg_dump', args, { databaseUrl, signal })
    const tables = await countRows(queries)
    await verify(programs, file, tables, signal)
    return {
      database: 'postgres',
      dumped_by: programs.major,
      file: FILE,
      migrations: await appliedMigrations(queries),
      tables,
      seals: await countSeals(queries, place),
    }
  })
}

/** @throws BackupError for a pooler that gives out connections by transaction: pg_dump needs settings of its session */
function serverAddress({ databaseUrl, backup }: PostgresPlace): string | null {
  const address = backup.databaseUrl ?? databaseUrl
  if (address === null || poolingOf(address) !== 'transaction') return address
  throw new BackupError(
    'DATABASE_URL leads through a pooler with pooling=transaction. Set BACKUP_DATABASE_URL to the address of PostgreSQL itself.',
  )
}

/** @throws BackupError unless the dump can be read and has as many rows of each table as the database */
async function verify(
  programs: PostgresPrograms,
  file: string,
  tables: Readonly<Record<string, number>>,
  signal?: AbortSignal,
): Promise<void> {
  let dumped: Record<string, number> = {}
  await runPostgresProgram(programs, 'pg_restore', ['--data-only', '--file=-', file], {
    databaseUrl: null,
    signal,
    read: async (output) => {
      dumped = await countDumpedRows(output)
    },
  })
  for (const [table, rows] of Object.entries(tables)) {
    if (dumped[table] === rows) continue
    throw new BackupError(`The dump has ${dumped[table] ?? 0} rows of ${table}, and the database ${rows}.`)
  }
}

/**
 * Restores a dump into the PostgreSQL database of the settings, all of it or nothing: pg_restore writes the statements
 * and this process carries them out in one transaction, which ends with it.
 * @throws BackupError when the database has tables, or the dump is not as it was written
 */
export async function restorePostgresData(place: PostgresPlace, restore: Restore): Promise<void> {
  const { dataDir, backup } = place
  const { path, manifest, key, anyKey, signal } = restore
  const databaseUrl = serverAddress(place)!
  const server = await requireEmpty(databaseUrl)
  await requireWritten(path, manifest)
  const major = Math.max(server, manifest.dumped_by ?? 0)
  const programs = await findPostgresPrograms(major, backup.postgresBin)
  await withPart(dataDir, async (part) => {
    await withDumpPlayer(databaseUrl, async (player) => {
      const args = ['--no-owner', '--no-privileges', '--file=-', join(path, manifest.file)]
      const read = (script: Readable): Promise<void> => player.play(script).catch(refused)
      await runPostgresProgram(programs, 'pg_restore', args, { databaseUrl: null, signal, read })
      if (!isDeepStrictEqual(await countRows(player.queries), manifest.tables))
        throw new BackupError('The dump has other rows than the backup says: it is damaged. Use another backup.')
      if (!anyKey) await requireOpenSeals(player.queries, key, manifest)
      putRestoredKey(key, part, dataDir)
      settleRestoredKey(part)
    })
  })
}

function refused(error: Error): never {
  throw new BackupError(`The database does not take the backup: ${error.message}`, { cause: error })
}

/** @returns the major version of the server. @throws BackupError when the database has tables */
async function requireEmpty(databaseUrl: string): Promise<number> {
  const database = openDatabase({ dataDir: '', databaseUrl, poolMax: 1 })
  try {
    if ((await tableNames(database.queries)).length > 0)
      throw new BackupError(
        'The database of DATABASE_URL has tables, and a restore replaces nothing. Name an empty database.',
      )
    return Math.floor((await serverVersion(database.queries)).number / 10_000)
  } finally {
    await database.close()
  }
}
