import { execFile, spawn } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import { existsSync, lstatSync, mkdirSync, renameSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { after, before } from 'node:test'
import { promisify } from 'node:util'
import pg from 'pg'
import { type Database, openDatabase } from '../../src/platform/database/database.ts'
import { freePort } from './free-port.ts'
import { DEBIAN_13, skipWithout } from './optional-programs.ts'
import { until } from './patience.ts'

const ROOT = DEBIAN_13
const BIN = '/usr/lib/postgresql/17/bin'
const PATH = '/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin'
const SETTINGS = ['fsync=off', 'full_page_writes=off', 'synchronous_commit=off', 'max_connections=50']

const run = promisify(execFile)

export interface PgvectorServer {
  readonly url: string
  stop(): Promise<void>
}

/**
 * Returns the reason why a server with pgvector cannot be started here; false if it can. Options of tests take it as
 * `skip`.
 */
export function whyNoPgvector(): string | false {
  return skipWithout('pgvector')
}

/**
 * Starts a server with pgvector.
 * @param settings of the server, such as `shared_buffers=1GB`
 */
export async function startPgvector(settings: readonly string[] = []): Promise<PgvectorServer> {
  await unpack()
  const port = await freePort()
  const data = `/var/tmp/knowledge-${randomUUID()}`
  const inside = [`--userspec=postgres:postgres`, ROOT, `${BIN}/initdb`, '-D', data, '-U', 'postgres']
  const env = { PATH, LC_ALL: 'C' }
  await run('/usr/sbin/chroot', [...inside, '--auth=trust', '--encoding=UTF8', '--locale=C', '--no-sync'], { env })
  const options = [
    ...SETTINGS,
    `port=${port}`,
    'listen_addresses=127.0.0.1',
    'unix_socket_directories=',
    'dynamic_shared_memory_type=mmap',
    ...settings,
  ].flatMap((each) => ['-c', each])
  const server = spawn(
    '/usr/sbin/chroot',
    ['--userspec=postgres:postgres', ROOT, `${BIN}/postgres`, '-D', data, ...options],
    { env, stdio: 'ignore' },
  )
  const ended = new Promise<void>((resolve) => server.once('exit', () => resolve()))
  const url = `postgres://postgres@127.0.0.1:${port}/postgres`
  await untilAnswering(url)
  return {
    url,
    async stop() {
      server.kill('SIGINT')
      await ended
      rmSync(join(ROOT, data), { recursive: true, force: true })
    },
  }
}

/**
 * Checks that only this user may write in the folder.
 * @throws Error when another user may have put programs there, which root would start
 */
function requireOwn(folder: string): void {
  const { uid, mode } = lstatSync(folder)
  if (uid !== process.getuid?.() || (mode & 0o022) !== 0)
    throw new Error(`${folder} belongs to another user, or others may write there: remove it`)
}

/** Unpacks the packages. When two test files begin at once, both unpack, and the first to finish wins. */
async function unpack(): Promise<void> {
  if (existsSync(join(ROOT, BIN, 'postgres'))) return requireOwn(ROOT)
  const own = `${ROOT}-${randomUUID()}`
  mkdirSync(own)
  const packages = '--include=postgresql-17,postgresql-17-pgvector'
  await run('/usr/sbin/debootstrap', ['--variant=minbase', packages, 'trixie', own], {
    env: { ...process.env, PATH },
    maxBuffer: 2 ** 24,
  })
  try {
    renameSync(own, ROOT)
  } catch (error) {
    rmSync(own, { recursive: true, force: true })
    if (!existsSync(join(ROOT, BIN, 'postgres'))) throw error
  }
}

async function untilAnswering(connectionString: string): Promise<void> {
  let refusal: unknown
  const answers = async (): Promise<boolean> => {
    const client = new pg.Client({ connectionString })
    try {
      await client.connect()
      return true
    } catch (error) {
      refusal = error
      return false
    } finally {
      await client.end().catch(() => undefined)
    }
  }
  await until(answers, () => `PostgreSQL answers: ${String(refusal)}`)
}

/**
 * Starts a server with pgvector before the tests of a suite, and stops it after them.
 * @param use receives the server's database, before the first test
 */
export function withPgvector(use: (database: Database) => void | Promise<void>): void {
  let server: PgvectorServer | undefined
  let database: Database | undefined
  before(async () => {
    server = await startPgvector()
    database = openDatabase({ dataDir: '', databaseUrl: server.url })
    await use(database)
  })
  after(async () => {
    await database?.close()
    await server?.stop()
  })
}
