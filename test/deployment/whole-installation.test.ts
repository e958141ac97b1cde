import assert from 'node:assert/strict'
import { chmodSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, describe, test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { type Agent, fetch as fetchWith, type RequestInit as Init } from 'undici'
import { until } from '../support/patience.ts'
import { ADMIN_KEY, ServiceProcess } from '../durability/service-process.ts'
import { DATABASES } from '../support/databases.ts'
import { freePort } from '../support/free-port.ts'
import { Relay } from '../support/relay.ts'
import { type ReplicatedPostgres, startReplicatedPostgres } from '../support/replicated-postgres.ts'
import type { Daemon } from './programs.ts'
import { HOST, makeCertificate, PROXIES } from './proxies.ts'
import { asJson, proxyAgent } from './steady-clients.ts'

const ENTRIES = '/api/knowledge/knowledge-entries'
const CLIENTS = 4
const PAUSE_MS = 30_000
const [NGINX] = PROXIES
const isLeftOut = !DATABASES.some(({ name }) => name === 'PostgreSQL')

/**
 * nginx before two machines: the first has two processes on one port, the second has one. They share a primary of
 * PostgreSQL with a streaming replica.
 */
describe(
  'An installation of three processes and two databases',
  { skip: isLeftOut ? 'PostgreSQL is left out of this run' : NGINX.program.skip },
  () => {
    let folder: string
    let servers: ReplicatedPostgres
    let primary: Relay
    let nginx: Daemon
    let ports: [number, number]
    let first: ServiceProcess
    let second: ServiceProcess
    let clients: FreshClients
    let agent: Agent
    let base: string

    const startMachine = (port: number, processes: number): Promise<ServiceProcess> =>
      ServiceProcess.start(
        { options: { dataDir: join(folder, String(port)), databaseUrl: primary.url } },
        {
          PORT: String(port),
          PROCESSES: String(processes),
          DATABASE_REPLICA_URL: servers.standby.url,
          TRUST_PROXY: 'true',
          PUBLIC_URL: `https://${HOST}`,
          SECRET_KEY: 'x'.repeat(40),
          STOP_DELAY_SECONDS: '2',
          LOG_LEVEL: 'info',
        },
      )
    const call = (path: string, init: Init = {}) =>
      fetchWith(base + path, {
        ...init,
        dispatcher: agent,
        headers: { authorization: `Bearer ${ADMIN_KEY}`, ...(init.headers as Record<string, string>) },
      })
    /** Returns the requests that failed during `work`, and for a moment after it. */
    const failuresOf = async (work: () => Promise<void>): Promise<string[]> => {
      const before = clients.failures.length
      const served = clients.served
      await work()
      await until(async () => clients.served > served + 4 * CLIENTS, 'clients are served')
      return clients.failures.slice(before)
    }
    const servedBy = (service: ServiceProcess): { process: number; pid: number }[] =>
      service.output
        .split('\n')
        .filter((line) => line.includes('"msg":"a process serves"'))
        .map((line) => JSON.parse(line) as { process: number; pid: number })

    before(async () => {
      folder = mkdtempSync(join(tmpdir(), 'knowledge-whole-'))
      chmodSync(folder, 0o755)
      const { certificate } = makeCertificate(folder)
      servers = await startReplicatedPostgres()
      await servers.primary.query(`alter system set synchronous_standby_names = '*'`)
      await servers.primary.query('select pg_reload_conf()')
      primary = await Relay.to(servers.primary.url)
      ports = [await freePort(), await freePort()]
      const httpsPort = await freePort()
      first = await startMachine(ports[0], 2)
      second = await startMachine(ports[1], 1)
      nginx = await NGINX.start({ folder, httpsPort, httpPort: await freePort(), servicePorts: ports })
      agent = proxyAgent({ ca: readFileSync(certificate), connections: CLIENTS, allowH2: false })
      base = `https://${HOST}:${httpsPort}`
      const creation = await call('/api/knowledge/categories', asJson({ name: 'General' }))
      const { id } = (await creation.json()) as { id: string }
      clients = new FreshClients(CLIENTS, id, call)
    })
    after(async () => {
      await clients.stop()
      await agent.destroy()
      await nginx.stop()
      await Promise.all([first.kill(), second.kill()])
      primary.close()
      await servers.stop()
      rmSync(folder, { recursive: true, force: true })
    })

    test('a rolling restart of both machines fails no request', async () => {
      const failures = await failuresOf(async () => {
        await until(async () => servedBy(first).length === 2, 'both processes serve')
        first.child.kill('SIGUSR2')
        await until(async () => servedBy(first).length === 4, 'both processes are new')
        await second.stop()
        second = await startMachine(ports[1], 1)
      })
      assert.deepEqual(failures, [])
    })

    test('a process that is killed takes only requests along that it had', async () => {
      const failures = await failuresOf(async () => {
        const { pid } = servedBy(first).at(-1)
        process.kill(pid, 'SIGKILL')
        await until(async () => servedBy(first).length === 5, 'the killed process serves again')
      })
      assert.ok(failures.length <= CLIENTS, failures.join('\n'))
      const more = await failuresOf(async () => {
        await second.kill()
        second = await startMachine(ports[1], 1)
      })
      assert.ok(more.length <= CLIENTS, more.join('\n'))
    })

    test('a process that is paused and wakes up delays or fails only requests that it had', async () => {
      const failures = await failuresOf(async () => {
        const pid = second.child.pid!
        process.kill(pid, 'SIGSTOP')
        await sleep(PAUSE_MS)
        process.kill(pid, 'SIGCONT')
      })
      assert.ok(failures.length <= CLIENTS, failures.join('\n'))
    })

    test('the loss of the replica fails no request', async () => {
      // Writes would wait for a synchronous replica.
      await servers.primary.query('alter system reset synchronous_standby_names')
      await servers.primary.query('select pg_reload_conf()')
      const failures = await failuresOf(async () => {
        servers.standby.kill()
        await sleep(2_000)
        await servers.standby.start()
      })
      assert.deepEqual(failures, [])
      await servers.caughtUp()
      await servers.primary.query(`alter system set synchronous_standby_names = '*'`)
      await servers.primary.query('select pg_reload_conf()')
    })

    test('the loss of the primary loses no write, and its replica takes over', async () => {
      const isSynchronous = async (): Promise<boolean> =>
        (await servers.primary.query(`select 1 from pg_stat_replication where sync_state = 'sync'`)).length === 1
      await until(isSynchronous, 'the replica is synchronous')
      servers.primary.kill()
      await servers.standby.query('select pg_promote()')
      primary.lead(servers.standby.url)
      const served = clients.served
      await until(async () => clients.served > served + 4 * CLIENTS, 'clients are served again')
      assert.deepEqual(await failuresOf(() => sleep(2_000)), [])
    })

    test('nothing that was answered was stale, and no write that was answered is lost', async () => {
      await clients.stop()
      assert.deepEqual(clients.stale, [])
      assert.ok(clients.written.length > 10 * CLIENTS, `only ${clients.written.length} writes`)
      for (const reference of clients.written) {
        const answer = await call(`${ENTRIES}/by-source?source_reference=${reference}`)
        assert.equal(answer.status, 200, reference)
        await answer.text()
      }
    })
  },
)

type Ask = (path: string, init?: Init) => Promise<{ readonly status: number; json(): Promise<unknown> }>

/** Clients that write and then search for what they have written, until they are stopped. */
class FreshClients {
  /** Each request that was not answered, or answered with an error. */
  readonly failures: string[] = []
  /** References of writes that a search after them did not find. */
  readonly stale: string[] = []
  /** References of writes that were answered. */
  readonly written: string[] = []
  served = 0
  readonly #over = new AbortController()
  readonly #ended: Promise<unknown>

  constructor(count: number, categoryId: string, ask: Ask) {
    this.#ended = Promise.all(Array.from({ length: count }, (_, n) => this.#work(n, categoryId, ask)))
  }

  async stop(): Promise<void> {
    this.#over.abort()
    await this.#ended
  }

  async #work(n: number, categoryId: string, ask: Ask): Promise<void> {
    for (let i = 0; !this.#over.signal.aborted; i++) {
      const reference = `kormoran${n}x${i}`
      const entry = { title: reference, content: 'Ein Vogel', category_id: categoryId, source_reference: reference }
      const stored = await this.#asked(ask, ENTRIES, asJson(entry))
      if (stored === null) continue
      this.written.push(reference)
      const hits = await this.#asked(ask, `${ENTRIES}/search`, asJson({ query: reference, mode: 'keyword', limit: 1 }))
      if (hits !== null && (hits as unknown[]).length === 0) this.stale.push(reference)
      // Leaves the machine time for what happens to the processes.
      await sleep(50)
    }
  }

  async #asked(ask: Ask, path: string, init: Init): Promise<unknown> {
    try {
      const answer = await ask(path, init)
      const body = await answer.json()
      if (answer.status >= 400) throw new Error(`${answer.status} ${JSON.stringify(body)}`)
      this.served++
      return body
    } catch (error) {
      this.failures.push(`${path} ${String((error as Error).cause ?? error)}`)
      // What failed at once would fail again.
      await sleep(100)
      return null
    }
  }
}
