import { execFileSync } from 'node:child_process'
import { appendFileSync, chmodSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import pg from 'pg'
import { freePort } from './free-port.ts'
import { loadPostgres, NEWEST_POSTGRES } from './postgres-versions.ts'

const STARTS_MAX = 20
const FLAGS = [
  'max_connections=200',
  'fsync=off',
  'full_page_writes=off',
  'autovacuum=off',
  'io_method=sync',
  'wal_keep_size=256MB',
  'wal_receiver_status_interval=100ms',
  'wal_retrieve_retry_interval=200ms',
].flatMap((each) => ['-c', each])

/** A server of the pair, which can be stopped and started again. */
interface PairedServer {
  /** Address of the database `postgres`. */
  readonly url: string
  start(): Promise<void>
  stop(): Promise<void>
  /** Kills the server with `kill -9`, as when the machine fails. */
  kill(): void
  query<Row extends pg.QueryResultRow>(statement: string): Promise<Row[]>
}

/** A primary and its streaming replica. */
export interface ReplicatedPostgres {
  readonly primary: PairedServer
  readonly standby: PairedServer
  /** Resolves when the replica shows everything that the primary has committed by now. */
  caughtUp(): Promise<void>
  stop(): Promise<void>
}

/**
 * Starts a primary and its replica in a folder of their own. The replica begins as a copy of the primary before its
 * first start.
 */
export async function startReplicatedPostgres(): Promise<ReplicatedPostgres> {
  const folder = mkdtempSync(join(tmpdir(), 'knowledge-replicated-'))
  // When the tests run as root, the servers run as another user and need access to their folder.
  chmodSync(folder, 0o755)
  const [primaryDir, standbyDir] = [join(folder, 'primary'), join(folder, 'standby')]
  const primary = await paired(primaryDir, true)
  execFileSync('cp', ['-a', primaryDir, standbyDir])
  const from = new URL(primary.url)
  const origin = `host=127.0.0.1 port=${from.port} user=postgres password=postgres`
  appendFileSync(join(standbyDir, 'postgresql.auto.conf'), `primary_conninfo = '${origin}'\n`)
  writeFileSync(join(standbyDir, 'standby.signal'), '')
  const standby = await paired(standbyDir, false)
  await primary.start()
  await standby.start()
  return {
    primary,
    standby,
    async caughtUp() {
      const [{ now }] = await primary.query<{ now: string }>('select pg_current_wal_flush_lsn() as now')
      for (;;) {
        const [{ is_there: isThere }] = await standby.query<{ is_there: boolean }>(
          `select coalesce(pg_last_wal_replay_lsn() >= '${now}'::pg_lsn, false) as is_there`,
        )
        if (isThere) return
        await new Promise((resolve) => setTimeout(resolve, 20))
      }
    },
    async stop() {
      await Promise.all([primary.stop(), standby.stop()])
      rmSync(folder, { recursive: true, force: true })
    },
  }
}

async function paired(databaseDir: string, isNew: boolean): Promise<PairedServer> {
  const EmbeddedPostgres = await loadPostgres(NEWEST_POSTGRES)
  const port = await freePort()
  let onReady: () => void = () => undefined
  const log: string[] = []
  const server = new EmbeddedPostgres({
    databaseDir,
    port,
    user: 'postgres',
    password: 'postgres',
    persistent: true,
    createPostgresUser: process.getuid?.() === 0,
    initdbFlags: ['--encoding=UTF8', '--locale=C', '--no-sync'],
    postgresFlags: FLAGS,
    onLog(message) {
      log.push(message)
      if (/ready to accept (?:read-only )?connections/.test(message)) onReady()
    },
    onError: (message) => log.push(String(message)),
  })
  if (isNew) await server.initialise()
  let runs = false
  const start = (): Promise<void> =>
    new Promise((resolve, reject) => {
      onReady = resolve
      // It knows no read-only server, and so never says that a replica is there.
      server.start().catch(() => reject(new Error(`PostgreSQL ended: ${log.slice(-8).join('\n')}`)))
    })
  const url = `postgres://postgres:postgres@127.0.0.1:${port}/postgres`
  return {
    url,
    async start() {
      // After a kill its processes take a moment to end, and until then there is no start.
      for (let attempt = 1; ; attempt++) {
        try {
          await start()
          break
        } catch (error) {
          if (attempt === STARTS_MAX) throw error
          await new Promise((resolve) => setTimeout(resolve, 500))
        }
      }
      runs = true
    },
    async stop() {
      if (runs) await server.stop()
      runs = false
    },
    kill() {
      runs = false
      const [pid] = readFileSync(join(databaseDir, 'postmaster.pid'), 'utf8').split('\n')
      process.kill(Number(pid), 'SIGKILL')
    },
    async query<Row extends pg.QueryResultRow>(statement: string) {
      const client = new pg.Client({ connectionString: url })
      await client.connect()
      try {
        return (await client.query<Row>(statement)).rows
      } finally {
        await client.end()
      }
    },
  }
}
