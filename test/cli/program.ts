import { type ChildProcess, spawn } from 'node:child_process'
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { after, before, type TestContext } from 'node:test'
import { type Database, openDatabase } from '../../src/platform/database/database.ts'
import type { EntryRow } from '../../src/platform/database/tables.ts'
import type { DatabaseKind, TestDatabase } from '../support/databases.ts'
import { MAIN, SURROUNDINGS } from '../support/program.ts'

interface Finished {
  readonly code: number | null
  readonly stdout: string
  readonly stderr: string
}

interface Running {
  readonly process: ChildProcess
  readonly finished: Promise<Finished>
}

interface Surroundings {
  readonly cwd?: string
  readonly env?: Readonly<Record<string, string>>
}

/** Starts the real program on a database. */
export function start(
  place: Pick<TestDatabase, 'options'>,
  args: readonly string[],
  { cwd, env = {} }: Surroundings = {},
): Running {
  const { dataDir, databaseUrl } = place.options
  const child = spawn(process.execPath, [MAIN, ...args], {
    cwd,
    env: { ...SURROUNDINGS, DATA_DIR: dataDir, DATABASE_URL: databaseUrl ?? '', ...env },
  })
  let stdout = ''
  let stderr = ''
  child.stdout.setEncoding('utf8').on('data', (text: string) => (stdout += text))
  child.stderr.setEncoding('utf8').on('data', (text: string) => (stderr += text))
  const finished = new Promise<Finished>((resolve, reject) => {
    child.once('error', reject)
    child.once('close', (code) => resolve({ code, stdout, stderr }))
  })
  return { process: child, finished }
}

/** Runs the real program to its end. */
export async function knowledge(
  place: Pick<TestDatabase, 'options'>,
  args: readonly string[],
  { input, ...surroundings }: Surroundings & { readonly input?: string } = {},
): Promise<Finished> {
  const { process: child, finished } = start(place, args, surroundings)
  child.stdin!.on('error', () => undefined)
  child.stdin!.end(input ?? '')
  return finished
}

/** A database with a connection, open for all tests of a suite. */
export function databaseOf(kind: DatabaseKind): { readonly place: TestDatabase; readonly database: Database } {
  const there = {} as { place: TestDatabase; database: Database }
  before(async () => {
    there.place = await kind.create()
    there.database = openDatabase(there.place.options)
  })
  after(async () => {
    await there.database.close()
    await there.place.remove()
  })
  return there
}

/** A folder with these files, by path. Removed after the test. */
export function folderOf(t: TestContext, files: Readonly<Record<string, string | Uint8Array>>): string {
  const folder = mkdtempSync(join(tmpdir(), 'knowledge-files-'))
  t.after(() => rmSync(folder, { recursive: true, force: true }))
  for (const [path, content] of Object.entries(files)) {
    const file = join(folder, path)
    mkdirSync(dirname(file), { recursive: true })
    writeFileSync(file, content)
  }
  return folder
}

export async function entriesOf({ queries }: Database, tenantId = 'default'): Promise<EntryRow[]> {
  return queries
    .selectFrom('entries')
    .selectAll()
    .where('tenant_id', '=', tenantId)
    .orderBy('source_reference')
    .execute()
}
