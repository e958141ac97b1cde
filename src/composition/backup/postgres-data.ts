import { join } from 'node:path'
import { isDeepStrictEqual } from 'node:util'
import type { Config } from '../../config.ts'
import { serverVersion } from '../../platform/database/connect.ts'
import { countRows, exportSnapshot, tableNames } from '../../platform/database/contents.ts'
import { openDatabase } from '../../platform/database/database.ts'
import { appliedMigrations } from '../../platform/database/migrate.ts'
import { withSnapshot } from '../../platform/database/snapshot.ts'
import { poolingOf } from '../../platform/database/postgres-address.ts'
import { makeFile } from '../../platform/database/sqlite-file.ts'
import { countDumpedRows } from './dumped-rows.ts'
import { BackupError, DATA_FILES, digestOf, type Manifest } from './manifest.ts'
import { findPostgresPrograms, type PostgresPrograms, runPostgresProgram } from './postgres-programs.ts'
import { restoreSecretFile } from './secret-note.ts'
import { REPLICA_SCHEMA } from '../../platform/database/replica-schema.ts'
import type { DataCopy } from './sqlite-data.ts'
import { withPart } from './staging.ts'

const FILE = DATA_FILES.postgres

type PostgresPlace = Pick<Config, 'dataDir' | 'databaseUrl' | 'backup'>

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
 * Restores a dump into the PostgreSQL database of the settings, all of it or nothing.
 * @throws BackupError when the database has tables, or the dump is not as it was written
 */
export async function restorePostgresData(
  place: PostgresPlace,
  path: string,
  manifest: Manifest,
  signal?: AbortSignal,
): Promise<void> {
  const { dataDir, backup } = place
  const databaseUrl = serverAddress(place)
  const database = openDatabase({ dataDir: '', databaseUrl, poolMax: 1 })
  try {
    if ((await tableNames(database.queries)).length > 0)
      throw new BackupError(
        'The database of DATABASE_URL has tables, and a restore replaces nothing. Name an empty database.',
      )
    const { number } = await serverVersion(database.queries)
    const file = join(path, manifest.file)
    const { bytes, sha256 } = await digestOf(file)
    if (bytes !== manifest.bytes || sha256 !== manifest.sha256)
      throw new BackupError(`${file} is not as it was written: it is damaged. Use another backup.`)
    const major = Math.max(Math.floor(number / 10_000), manifest.dumped_by ?? 0)
    const programs = await findPostgresPrograms(major, backup.postgresBin)
    await withPart(dataDir, async (part) => restoreSecretFile(path, part, dataDir))
    const args = ['--single-transaction', '--exit-on-error', '--no-owner', '--no-privileges', file]
    await runPostgresProgram(programs, 'pg_restore', args, { databaseUrl, signal })
    if (!isDeepStrictEqual(await countRows(database.queries), manifest.tables))
      throw new BackupError('The restored database has other rows than the backup: drop it, and restore again.')
  } finally {
    await database.close()
  }
}
