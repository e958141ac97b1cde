import { type ChildProcess, spawn } from 'node:child_process'
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { PassThrough, Readable } from 'node:stream'
import { text } from 'node:stream/consumers'
import { after, before, type TestContext } from 'node:test'
import { runCommand } from '../../src/channels/cli/run-command.ts'
import { type Database, openDatabase } from '../../src/platform/database/database.ts'
import type { EntryRow } from '../../src/platform/database/tables.ts'
import type { DatabaseKind, TestDatabase } from '../support/databases.ts'
import { MAIN, SURROUNDINGS } from '../support/program.ts'

interface ProgramResult {
  readonly code: number | null
  readonly stdout: string
  readonly stderr: string
}

interface Running {
  readonly process: ChildProcess
  readonly finished: Promise<ProgramResult>
}

interface Surroundings {
  readonly env?: Readonly<Record<string, string>>
  /** Standard input of the program; by default empty. */
  readonly input?: string
}

/** Starts the real program on a database, for tests of what only a process has: signals, pipes and its end. */
export function start(
  place: Pick<TestDatabase, 'options'>,
  args: readonly string[],
  { cwd, env = {} }: Surroundings & { readonly cwd?: string } = {},
): Running {
  const child = spawn(process.execPath, [MAIN, ...args], { cwd, env: environmentOf(place, env) })
  let stdout = ''
  let stderr = ''
  child.stdout.setEncoding('utf8').on('data', (text: string) => (stdout += text))
  child.stderr.setEncoding('utf8').on('data', (text: string) => (stderr += text))
  const finished = new Promise<ProgramResult>((resolve, reject) => {
    child.once('error', reject)
    child.once('close', (code) => resolve({ code, stdout, stderr }))
  })
  return { process: child, finished }
}

/** Runs the real program to its end. `spawned.test.ts` does so with every command. */
export async function spawned(
  place: Pick<TestDatabase, 'options'>,
  args: readonly string[],
  { input, ...surroundings }: Surroundings & { readonly cwd?: string } = {},
): Promise<ProgramResult> {
  const { process: child, finished } = start(place, args, surroundings)
  child.stdin!.on('error', () => undefined)
  child.stdin!.end(input ?? '')
  return finished
}

/**
 * Runs a command in this process as the program does in its own, which saves the start of a process. Only `serve` runs
 * as a program, because its end is that of its process.
 */
export async function knowledge(
  place: Pick<TestDatabase, 'options'>,
  args: readonly string[],
  surroundings: Surroundings = {},
): Promise<ProgramResult> {
  if (args[0] === 'serve') return spawned(place, args, surroundings)
  const { env = {}, input } = surroundings
  const [stdout, stderr] = [new PassThrough(), new PassThrough()]
  const written = Promise.all([text(stdout), text(stderr)])
  const stdin = Readable.from(input === undefined ? [] : [Buffer.from(input)], { objectMode: false })
  const code = await runCommand(args, { env: environmentOf(place, env), stdin, stdout, stderr })
  for (const each of [stdout, stderr]) each.end()
  const [told, complained] = await written
  return { code, stdout: told, stderr: complained }
}

function environmentOf({ options }: Pick<TestDatabase, 'options'>, env: Readonly<Record<string, string>>) {
  return { ...SURROUNDINGS, DATA_DIR: options.dataDir, DATABASE_URL: options.databaseUrl ?? '', ...env }
}

/** Opens a database with a connection for all tests of a suite. */
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

/** Makes a folder with these files, by path. It is removed after the test. */
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
