import assert from 'node:assert/strict'
import { mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { TestContext } from 'node:test'
import { sql } from 'kysely'
import { tableNames } from '../../src/platform/database/contents.ts'
import { type Database, openDatabase } from '../../src/platform/database/database.ts'
import { knowledge, spawned } from '../cli/program.ts'
import { assertConsistent } from '../durability/consistency.ts'
import { Ledger } from '../durability/ledger.ts'
import type { ServiceProcess } from '../durability/service-process.ts'
import { WriteStream } from '../durability/write-stream.ts'
import type { TestDatabase } from '../support/databases.ts'

/** Makes an empty folder. It is removed after the test. */
export function emptyFolder(t: TestContext): string {
  const folder = mkdtempSync(join(tmpdir(), 'knowledge-backups-'))
  t.after(() => rmSync(folder, { recursive: true, force: true }))
  return folder
}

/** Returns a place for an embedded database that does not exist yet. It is removed after the test. */
export function emptyPlace(t: TestContext): TestDatabase {
  return { options: { dataDir: emptyFolder(t), databaseUrl: null }, remove: async () => undefined }
}

/** Runs the command and fails unless it succeeds. @returns what it wrote to standard output, without the line end */
export async function succeeds(
  place: Pick<TestDatabase, 'options'>,
  args: readonly string[],
  env = {},
): Promise<string> {
  const done = await knowledge(place, args, { env })
  assert.equal(done.code, 0, done.stderr)
  return done.stdout.trimEnd()
}

/** Runs the command and fails unless it refuses with one line. @returns the line */
export async function refuses(
  place: Pick<TestDatabase, 'options'>,
  args: readonly string[],
  env = {},
): Promise<string> {
  const done = await knowledge(place, args, { env })
  assert.equal(done.code, 1, done.stderr)
  assert.match(done.stderr, /^[^\n]+\n$/)
  return done.stderr.trimEnd()
}

/**
 * Backs a service up while it is written to, restores the backup elsewhere, and fails unless that has at least what was
 * stored before the backup began, and nothing half done.
 * @param elsewhere an empty place
 */
export async function assertWholeUnderWrites(
  t: TestContext,
  {
    place,
    elsewhere,
    service,
    category,
    env = {},
  }: {
    readonly place: TestDatabase
    readonly elsewhere: TestDatabase
    readonly service: ServiceProcess
    readonly category: string
    readonly env?: Readonly<Record<string, string>>
  },
): Promise<void> {
  const backup = join(emptyFolder(t), 'monday')
  const stream = new WriteStream(service, new Ledger(), category, 'load')
  await stream.answered(60)
  const database = openDatabase({ ...place.options, readOnly: true })
  const before = await database.queries.selectFrom('entries').select(['id', 'version']).execute()
  // As a program: the embedded database is copied in one step, in which this process could write nothing.
  const outcome = await spawned(place, ['backup', backup], { env })
  assert.deepEqual([outcome.code, outcome.stdout], [0, `${backup}\n`], outcome.stderr)
  await stream.end()
  await database.close()

  await succeeds(elsewhere, ['restore', backup], env)
  const restored = openDatabase(elsewhere.options)
  t.after(() => restored.close())
  await assertConsistent(restored)
  const rows = await restored.queries.selectFrom('entries').select(['id', 'version']).execute()
  const gone = await restored.queries.selectFrom('entry_tombstones').select('entry_id').execute()
  const versions = new Map(rows.map(({ id, version }) => [id, version]))
  const ids = new Set(gone.map((row) => row.entry_id))
  assert.ok(before.length > 20)
  for (const { id, version } of before) assert.ok((versions.get(id) ?? 0) >= version || ids.has(id), id)
}

/** Returns every row of every table, or those of a tenant, as text by table, in an order that both databases share. */
export async function everything({ queries }: Database, tenantId?: string): Promise<Record<string, string[]>> {
  const rowsByTable: Record<string, string[]> = {}
  for (const table of await tableNames(queries)) {
    const { rows } = await sql<Record<string, unknown>>`select * from ${sql.table(table)}`.execute(queries)
    const own = tenantId === undefined ? rows : rows.filter((row) => row.tenant_id === tenantId)
    rowsByTable[table] = own.map(textOf).toSorted()
  }
  return rowsByTable
}

function textOf(row: Readonly<Record<string, unknown>>): string {
  const columns = Object.entries(row).map(([name, value]) => {
    const text = value instanceof Uint8Array ? Buffer.from(value).toString('base64') : JSON.stringify(value)
    return `${name}=${text}`
  })
  return columns.toSorted().join(' ')
}

/** Returns the names in a folder, hidden ones too. */
export function namesIn(folder: string): string[] {
  return readdirSync(folder).toSorted()
}
