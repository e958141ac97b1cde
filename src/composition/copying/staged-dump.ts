import type { Readable } from 'node:stream'
import type { Config } from '../../config.ts'
import { type Database, openDatabase, type Queries } from '../../platform/database/database.ts'
import { partsOf, rowsOf } from '../../platform/database/dump-script.ts'
import { migrate } from '../../platform/database/migrate.ts'
import { type Row, tableShapes } from '../../platform/database/table-shapes.ts'
import type { Manifest } from '../backup/manifest.ts'
import { findPostgresPrograms, runPostgresProgram } from '../backup/postgres-programs.ts'
import { insertRows, letReferToNothing } from './store.ts'

/** Rows of one statement, and about the characters of their text. */
const BATCH_ROWS = 100
const BATCH_CHARACTERS = 4 * 1024 * 1024

/** The table whose rows are staged of every tenant, so that a message can name those of the backup. */
const TENANTS = 'tenants'

interface StagedDump {
  readonly tenantId: string
  readonly manifest: Manifest
  readonly backup: Config['backup']
  readonly signal?: AbortSignal
}

/**
 * Puts the rows that a dump of PostgreSQL has of a tenant, and the list of its tenants, into an embedded database in a folder, from which they can be
 * read in any order.
 * @throws BackupError when pg_restore is missing or cannot read the dump
 */
export async function stageDump(file: string, folder: string, dump: StagedDump): Promise<void> {
  const { tenantId, manifest, backup, signal } = dump
  const programs = await findPostgresPrograms(manifest.dumped_by ?? 0, backup.postgresBin)
  const database = openDatabase({ dataDir: folder, databaseUrl: null })
  try {
    await migrate(database)
    await letReferToNothing(database.queries)
    const args = ['--data-only', '--file=-', file]
    const read = (script: Readable): Promise<void> => stageRows(script, database, tenantId)
    await runPostgresProgram(programs, 'pg_restore', args, { databaseUrl: null, signal, read })
  } finally {
    await database.close()
  }
}

async function stageRows(script: Readable, database: Database, tenantId: string): Promise<void> {
  const shapes = new Map((await tableShapes(database)).map((shape) => [shape.name, shape]))
  const types = await typesOf(database.queries)
  for await (const part of partsOf(script)) {
    if ('statements' in part) continue
    const { table, columns, rows } = rowsOf(part)
    const shape = shapes.get(table)
    const place = columns.indexOf('tenant_id')
    let batch: Row[] = []
    let characters = 0
    const put = async (): Promise<void> => {
      const full = batch
      batch = []
      characters = 0
      if (full.length > 0) await database.write((tx) => insertRows(tx, shape!, full))
    }
    // The rows of every part are read, also of tables that the service does not know.
    for await (const values of rows) {
      if (shape === undefined || place < 0 || (values[place] !== tenantId && table !== TENANTS)) continue
      batch.push(
        Object.fromEntries(columns.map((column, i) => [column, valueOf(values[i], types.get(`${table}.${column}`))])),
      )
      characters += values.reduce((sum, value) => sum + (value?.length ?? 0), 0)
      if (batch.length >= BATCH_ROWS || characters >= BATCH_CHARACTERS) await put()
    }
    await put()
  }
}

async function typesOf(queries: Queries): Promise<ReadonlyMap<string, string>> {
  const tables = await queries.introspection.getTables()
  return new Map(
    tables.flatMap(({ name, columns }) =>
      columns.map((column) => [`${name}.${column.name}`, column.dataType.toLowerCase()] as const),
    ),
  )
}

/** Reads a value in PostgreSQL's text form, by the type of its column in the embedded database. */
function valueOf(text: string | null, type = 'text'): Row[string] {
  if (text === null) return null
  if (type === 'blob') return Buffer.from(text.slice(2), 'hex')
  return /int|double|real/.test(type) ? Number(text) : text
}
