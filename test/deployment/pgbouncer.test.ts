import assert from 'node:assert/strict'
import { chmodSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, describe, test } from 'node:test'
import { sql } from 'kysely'
import { openDatabase } from '../../src/platform/database/database.ts'
import { faultOf } from '../../src/platform/storage-faults.ts'
import { knowledge } from '../cli/program.ts'
import { assertConsistent } from '../durability/consistency.ts'
import { ServiceProcess } from '../durability/service-process.ts'
import { Program } from '../faults/program.ts'
import { CuttingProxy } from '../support/cutting-proxy.ts'
import { DATABASES, type TestDatabase } from '../support/databases.ts'
import { freePort } from '../support/free-port.ts'
import { skipWithout } from '../support/optional-programs.ts'
import { DUMPABLE_POSTGRES } from '../support/postgres-clients.ts'
import { type PostgresServer, startPostgres } from '../support/postgres.ts'
import { administer } from '../support/template.ts'
import { adapted, Daemon, machineProgram } from './programs.ts'
import { until } from '../support/patience.ts'

const PGBOUNCER = machineProgram('pgbouncer', 'pgbouncer')
const SAMPLE = readFileSync(join(import.meta.dirname, '../../deploy/pgbouncer/pgbouncer.ini'), 'utf8')
const ENTRIES = '/api/knowledge/knowledge-entries'
const NOBODY = 65_534
/** Fewer than a service would have without a pooler. */
const SERVER_CONNECTIONS = 4

const skip = DATABASES.every(({ name }) => name !== 'PostgreSQL')
  ? 'PostgreSQL is left out of this run'
  : PGBOUNCER.skip

for (const mode of ['session', 'transaction'] as const) {
  describe(`PgBouncer with pool_mode = ${mode}`, { skip }, () => {
    let folder: string
    let server: PostgresServer
    let bouncer: Daemon
    let port: number
    let place: Pick<TestDatabase, 'options'>

    const start = async (): Promise<void> => {
      bouncer = await Daemon.start(PGBOUNCER.path, [join(folder, 'pgbouncer.ini')], port, { uid: NOBODY })
    }

    before(async () => {
      folder = mkdtempSync(join(tmpdir(), 'knowledge-pgbouncer-'))
      chmodSync(folder, 0o755)
      server = await startPostgres({ major: DUMPABLE_POSTGRES?.major })
      await administer(server.url, 'create database knowledge')
      port = await freePort()
      const { username, password, port: serverPort } = new URL(server.url)
      writeFileSync(join(folder, 'userlist.txt'), `"${username}" "${password}"\n`)
      const sessions: [string, string][] =
        mode === 'session'
          ? [
              ['pool_mode = transaction', 'pool_mode = session'],
              ['default_pool_size = 20', 'default_pool_size = 60'],
            ]
          : [['default_pool_size = 20', `default_pool_size = ${SERVER_CONNECTIONS}`]]
      const ini = adapted(SAMPLE, [
        ['port=5432', `port=${serverPort}`],
        ['listen_port = 6432', `listen_port = ${port}`],
        ['/etc/pgbouncer/userlist.txt', join(folder, 'userlist.txt')],
        ...sessions,
      ])
      writeFileSync(join(folder, 'pgbouncer.ini'), ini)
      await start()
      const databaseUrl = `postgres://${username}:${password}@127.0.0.1:${port}/knowledge${mode === 'transaction' ? '?pooling=transaction' : ''}`
      place = { options: { dataDir: join(folder, 'data'), databaseUrl } }
    })
    after(async () => {
      await bouncer.stop('SIGKILL')
      await server.stop()
      rmSync(folder, { recursive: true, force: true })
    })

    test('serves two processes that start together on an empty database, under writes to both', async (t) => {
      const settings = { SECRET_KEY: 'x'.repeat(40) }
      const services = await Promise.all([1, 2].map(() => ServiceProcess.start(place, settings)))
      t.after(() => Promise.all(services.map((service) => service.kill())))
      const [one, other] = services
      const { body: category } = await one.call('POST', '/api/knowledge/categories', { body: { name: 'One' } })
      const write = (service: ServiceProcess, title: string) =>
        service.call('POST', ENTRIES, { body: { title, content: 'It gives light.', category_id: category.id } })
      const statuses = new Set<number>()
      const writer = async (n: number): Promise<void> => {
        for (let i = 0; i < 5; i++) statuses.add((await write(services[n % 2], `Lamp ${n}.${i}`)).status)
      }
      await Promise.all([0, 1, 2, 3].map(writer))
      assert.deepEqual([...statuses], [201])
      for (const service of [one, other]) {
        const search = await service.call('POST', `${ENTRIES}/search`, {
          body: { query: 'lamp', mode: 'keyword', limit: 100 },
        })
        assert.deepEqual([search.status, search.body.length], [200, 20])
        assert.equal((await service.call('GET', '/readyz')).status, 200)
      }
      const database = openDatabase(place.options)
      await assertConsistent(database)
      await database.close()
      for (const service of services) assert.equal((await service.stop()).code, 0, service.output)
    })

    test('bounds the wait for a lock in each transaction, and leaves no setting to the next client', async () => {
      const database = openDatabase(place.options)
      const settings = sql<{ lock: string; workers: string }>`
        select current_setting('lock_timeout') as lock, current_setting('max_parallel_workers_per_gather') as workers`
      const { rows } = await database.write((tx) => settings.execute(tx))
      assert.deepEqual(rows, [{ lock: '10s', workers: '0' }])
      await database.close()
      const url = new URL(place.options.databaseUrl!)
      url.searchParams.delete('pooling')
      const stranger = openDatabase({ dataDir: '', databaseUrl: `${url.href}?pooling=transaction`, poolMax: 1 })
      const [next] = (await settings.execute(stranger.queries)).rows
      assert.equal(next.lock, '0')
      await stranger.close()
    })

    test('still lets a process find out what became of a COMMIT whose connection was lost', async (t) => {
      const proxy = await CuttingProxy.start(place.options.databaseUrl!)
      t.after(() => proxy.stop())
      const database = openDatabase({ ...place.options, databaseUrl: proxy.url, poolMax: 3 })
      await sql`create table words (word text not null)`.execute(database.queries)
      const insert = (word: string) => database.write((tx) => sql`insert into words values (${word})`.execute(tx))
      proxy.next = 'after'
      await insert('kept')
      proxy.next = 'before'
      await assert.rejects(insert('lost'), (error) => faultOf(error)?.details[0].type === 'unavailable')
      const { rows } = await sql`select word from words`.execute(database.queries)
      assert.deepEqual(rows, [{ word: 'kept' }])
      await database.close()
    })

    test('that is restarted costs a running service no request', async (t) => {
      const service = await ServiceProcess.start(place, { SECRET_KEY: 'x'.repeat(40) })
      t.after(() => service.kill())
      assert.equal((await service.call('GET', `${ENTRIES}?limit=1`)).status, 200)
      await bouncer.stop('SIGKILL')
      await until(() => service.output.includes('Connection terminated'), 'the service notices')
      const waiting = service.call('GET', `${ENTRIES}?limit=1`)
      await new Promise((resolve) => setTimeout(resolve, 500))
      await start()
      assert.equal((await waiting).status, 200, service.output)
    })

    test('is passed by in backups where it would mix up sessions', { skip: skipWithout('pgDump') }, async () => {
      const direct = new URL(server.url)
      direct.pathname = '/knowledge'
      const BACKUP_POSTGRES_BIN = DUMPABLE_POSTGRES!.folder
      const backup = (env: Record<string, string>) =>
        knowledge(place, ['backup', join(folder, 'backup')], { env: { BACKUP_POSTGRES_BIN, ...env } })
      if (mode === 'transaction') {
        const refused = await backup({})
        assert.equal(refused.code, 1)
        assert.match(refused.stderr, /^DATABASE_URL leads through a pooler .*Set BACKUP_DATABASE_URL to .*\n$/)
      }
      const outcome = await backup(mode === 'transaction' ? { BACKUP_DATABASE_URL: direct.href } : {})
      assert.equal(outcome.code, 0, outcome.stderr)
    })

    for (const [what, change] of [
      ['a wrong password', (url: URL) => void (url.password = 'hunter2')],
      ['a database that does not exist', (url: URL) => void (url.pathname = '/nowhere')],
    ] as const) {
      test(`${what} ends the start with one line that says what to check`, async () => {
        const url = new URL(place.options.databaseUrl!)
        change(url)
        const program = new Program({ dataDir: place.options.dataDir, databaseUrl: url.href })
        assert.equal(await program.ended(), 1, program.output)
        assert.match(program.output, /^PostgreSQL refuses the connection: .*Check DATABASE_URL\.\n$/)
        assert.doesNotMatch(program.output, /hunter2/)
      })
    }
  })
}
