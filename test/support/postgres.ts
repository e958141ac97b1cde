import { chmodSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { loadPostgres, NEWEST_POSTGRES } from './postgres-versions.ts'
import { freePort } from './free-port.ts'
import { makeFleetingFolder } from './fleeting-folder.ts'

export interface PostgresServer {
  readonly url: string
  /** Stops the server and drops every connection. The data stays for `resume`, at the same address. */
  halt(): Promise<void>
  resume(): Promise<void>
  /** Kills the server with `kill -9`, as when the machine fails; `resume` recovers. */
  crash(): void
  stop(): Promise<void>
}

const SETTINGS = ['max_connections=200']
/**
 * Settings for data that tests can lose in a crash. Tests that kill PostgreSQL start their own server. No server copies
 * the log, and no table lives long enough to need a vacuum.
 */
const FLEETING_SETTINGS = [
  'fsync=off',
  'full_page_writes=off',
  'synchronous_commit=off',
  'wal_level=minimal',
  'max_wal_senders=0',
  'autovacuum=off',
  // The log may lie in memory.
  'max_wal_size=256MB',
]
const FLEETING_SETTINGS_SINCE_18 = ['io_method=sync']

/**
 * Starts a real PostgreSQL in its own folder, which `stop` removes.
 * @param options.isDurable whether a commit waits for the disk, as in production; benchmarks need that
 * @param options.major its version; by default that of `npm test -- --postgres=MAJOR`, else the newest
 */
export async function startPostgres({
  isDurable = false,
  major = Number(process.env.TEST_POSTGRES_MAJOR ?? NEWEST_POSTGRES),
} = {}): Promise<PostgresServer> {
  const EmbeddedPostgres = await loadPostgres(major)
  const fleeting = [...FLEETING_SETTINGS, ...(major < 18 ? [] : FLEETING_SETTINGS_SINCE_18)]
  const prefix = 'knowledge-postgres-'
  const databaseDir = isDurable ? mkdtempSync(join(tmpdir(), prefix)) : makeFleetingFolder(prefix)
  // When the tests run as root, the server runs as another user and needs access to its folder.
  chmodSync(databaseDir, 0o755)
  const port = await freePort()
  const log: string[] = []
  const server = new EmbeddedPostgres({
    databaseDir: join(databaseDir, 'cluster'),
    port,
    user: 'postgres',
    password: 'postgres',
    persistent: true,
    createPostgresUser: process.getuid?.() === 0,
    initdbFlags: ['--encoding=UTF8', '--locale=C', '--no-sync'],
    postgresFlags: [...SETTINGS, ...(isDurable ? [] : fleeting)].flatMap((each) => ['-c', each]),
    onLog: (message) => log.push(message),
    onError: (message) => log.push(String(message)),
  })
  try {
    await server.initialise()
    await server.start()
  } catch (error) {
    throw new Error(`PostgreSQL did not start: ${log.slice(-5).join('\n')}`, { cause: error })
  }
  return {
    url: `postgres://postgres:postgres@127.0.0.1:${port}/postgres`,
    halt: () => server.stop(),
    resume: () => server.start(),
    crash() {
      const [pid] = readFileSync(join(databaseDir, 'cluster', 'postmaster.pid'), 'utf8').split('\n')
      process.kill(Number(pid), 'SIGKILL')
    },
    async stop() {
      await server.stop()
      rmSync(databaseDir, { recursive: true, force: true })
    },
  }
}
