import assert from 'node:assert/strict'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, describe, test } from 'node:test'
import { sql } from 'kysely'
import { onNewConnection } from '../deployment/shared-tenants.ts'
import { assertWhole } from '../limits/wholeness.ts'
import { HEALTHY } from '../../src/platform/http/health.ts'
import { openDatabase } from '../../src/platform/database/database.ts'
import { faultOf } from '../../src/platform/storage-faults.ts'
import { type PostgresServer, startPostgres } from '../support/postgres.ts'
import { Balancer } from '../support/balancer.ts'
import { DATABASES } from '../support/databases.ts'
import { freePort } from '../support/free-port.ts'
import { administer, urlOf } from '../support/template.ts'
import { inTier } from '../support/tier.ts'
import { Program } from './program.ts'
import { until } from '../support/patience.ts'

const BASE = '/api/knowledge/knowledge-entries'
const UNAVAILABLE = [{ loc: [], msg: 'Storage is not available, try again', type: 'unavailable' }]

/** Ends the connections of a role. */
const drop = (role: string): string =>
  `select pg_terminate_backend(pid) from pg_stat_activity where usename = '${role}'`

/** Tells whether a request failed because nothing listens on its port. */
const isRefused = ({ cause }: Error): boolean => (cause as { code?: string }).code === 'ECONNREFUSED'

const skip = DATABASES.every(({ name }) => name !== 'PostgreSQL') && 'PostgreSQL is left out of this run'

describe('PostgreSQL that goes away and comes back', { skip }, () => {
  let server: PostgresServer
  let dataDir: string

  before(async () => {
    server = await startPostgres()
    dataDir = mkdtempSync(join(tmpdir(), 'knowledge-outage-'))
  })
  after(async () => {
    await server.stop()
    rmSync(dataDir, { recursive: true, force: true })
  })

  const changed = (change: (url: URL) => void): string => {
    const url = new URL(server.url)
    change(url)
    return url.href
  }

  const wrong = [
    ['a wrong password', (url: URL) => void (url.password = 'hunter2'), /password authentication failed/],
    ['a user that does not exist', (url: URL) => void (url.username = 'nobody'), /password authentication failed|role/],
    ['a database that does not exist', (url: URL) => void (url.pathname = '/nowhere'), /"nowhere" does not exist/],
  ] as const
  // The cases differ only in what PostgreSQL says. The service treats all alike, so the gate tries a few.
  for (const [what, change, reason] of wrong.slice(0, inTier({ gate: 1, all: wrong.length }))) {
    test(`${what} ends the start with one clear line that does not contain the password`, async () => {
      const program = new Program({ dataDir, databaseUrl: changed(change) })
      assert.equal(await program.ended(), 1, program.output)
      assert.match(program.output, /^PostgreSQL refuses the connection: .*Check DATABASE_URL\.\n$/)
      assert.match(program.output, reason)
      assert.doesNotMatch(program.output, /hunter2/)
    })
  }

  test('may break a transaction between two statements, and nothing else fails', async () => {
    const database = openDatabase({ dataDir, databaseUrl: server.url })
    const backend = sql<{ pid: number }>`select pg_backend_pid() as pid`
    const broken = database.write(async (tx) => {
      const { pid } = (await backend.execute(tx)).rows[0]
      await sql`select pg_terminate_backend(${pid}, 5000)`.execute(database.queries)
      // The end of the connection has been sent; a round trip on another one gives it time to arrive.
      await backend.execute(database.queries)
      await new Promise((resolve) => setImmediate(resolve))
      await backend.execute(tx)
    })
    await assert.rejects(broken, (error) => faultOf(error)?.kind === 'unavailable')
    assert.equal((await database.write((tx) => backend.execute(tx))).rows.length, 1)
    await database.close()
  })

  test('is waited for at the start, and requests work again after an outage', async (t) => {
    await server.halt()
    const program = new Program({ dataDir, databaseUrl: server.url })
    t.after(() => program.child.kill('SIGKILL'))
    await program.says(/waiting for the database/)
    await server.resume()
    const { url, key } = await program.ready()
    await program.says(/the database answers, going on/)

    const call = async (method: string, path: string, body?: object) => {
      const headers = { authorization: `Bearer ${key}`, 'content-type': 'application/json' }
      const response = await fetch(
        url + path,
        body === undefined ? { method, headers } : { method, headers, body: JSON.stringify(body) },
      )
      const text = await response.text()
      return { status: response.status, headers: response.headers, body: text === '' ? null : JSON.parse(text) }
    }
    const { id: category_id } = (await call('POST', '/api/knowledge/categories', { name: 'General' })).body
    const write = (title: string) => call('POST', BASE, { title, content: 'Quokka', category_id })
    const search = async () => {
      const hits = await call('POST', `${BASE}/search`, { query: 'Quokka', mode: 'hybrid' })
      return hits.status === 200
        ? hits.body.map((hit: { entry: { title: string } }) => hit.entry.title).sort()
        : hits.status
    }
    const click = async (search_log_id: string) => {
      const event = { search_log_id, action: 'click', product_id: 'p', section: 'products' }
      const answer = await call('POST', '/api/knowledge/search/clicks', event)
      assert.deepEqual([answer.status, answer.body], [202, { accepted: true }])
    }
    assert.equal((await write('before')).status, 201)
    assert.deepEqual(await search(), ['before'])
    await click('before')

    const running = Array.from({ length: 20 }, (_, i) => write(`during ${i}`))
    await server.halt()
    const outcomes = await Promise.all(running).catch((error: unknown) => {
      throw new Error(`the service did not survive:\n${program.output}`, { cause: error })
    })
    const stored = outcomes.filter(({ status }) => status === 201).map(({ body }) => body.title)
    for (const { status } of outcomes) assert.ok(status === 201 || status === 503, `${status}`)
    for (const [method, path, body] of [
      ['GET', BASE],
      ['GET', `${BASE}/${category_id}`],
      ['POST', BASE, { title: 'lost', content: 'lost', category_id }],
      ['POST', `${BASE}/search`, { query: 'Quokka' }],
      ['DELETE', `${BASE}/${category_id}`],
    ] as const) {
      const refused = await call(method, path, body)
      assert.deepEqual(
        [refused.status, refused.body.detail, refused.headers.get('retry-after')],
        [503, UNAVAILABLE, '1'],
        `${method} ${path}`,
      )
    }
    for (let i = 0; i < 3; i++) await click('during')
    assert.equal((await call('GET', '/readyz')).status, 503)
    assert.equal((await call('GET', '/healthz')).status, 200)

    await server.resume()
    await until(async () => (await call('GET', '/readyz')).status === 200, 'the service is ready again')
    assert.equal((await write('after')).status, 201)
    // A write answered with 503 may have been stored at the last moment; a write answered with 201 must be stored.
    const titles: string[] = await search()
    for (const title of ['before', 'after', ...stored])
      assert.ok(titles.includes(title), `${title} in ${titles.join(', ')}`)
    assert.ok(!titles.includes('lost'))
    const metrics = await (await fetch(`${url}/metrics`)).text()
    assert.match(metrics, /search_events_dropped_total\{kind="click",reason="unidentified"\} 3\n/)
    assert.equal(await program.stop(), 0, program.output)
    const database = openDatabase({ dataDir, databaseUrl: server.url })
    await assertWhole(database)
    // The service could not check who sent the clicks during the outage. The click before the outage waited, and is
    // stored.
    const clicks = await database.queries.selectFrom('search_clicks').select('search_log_id').execute()
    assert.deepEqual(clicks, [{ search_log_id: 'before' }])
    await database.close()
  })

  test('keeps the port of a start that waits for it closed, while probes are answered on theirs', async (t) => {
    await administer(server.url, 'create database probed')
    await server.halt()
    const [port, probePort] = [await freePort(), await freePort()]
    const settings = { PROBE_PORT: String(probePort), METRICS_TOKEN: 'a-token-of-metrics-readers' }
    const program = new Program({ dataDir, databaseUrl: urlOf(server.url, 'probed') }, undefined, port, settings)
    t.after(() => program.child.kill('SIGKILL'))
    await program.says(/waiting for the database/)
    const probe = async (path: string, at = probePort, headers: Readonly<Record<string, string>> = {}) => {
      const answer = await fetch(`http://127.0.0.1:${at}${path}`, { headers })
      const isJson = answer.headers.get('content-type')!.startsWith('application/json')
      const body: unknown = isJson ? await answer.json() : await answer.text()
      return { status: answer.status, retry: answer.headers.get('retry-after'), body }
    }
    const reader = { authorization: `Bearer ${settings.METRICS_TOKEN}` }
    assert.deepEqual(await probe('/healthz'), { status: 200, retry: null, body: HEALTHY })
    const notReady = { status: 'not_ready', missing: ['database'] }
    assert.deepEqual(await probe('/readyz'), { status: 503, retry: '1', body: notReady })
    assert.match(String((await probe('/metrics', probePort, reader)).body), /^process_cpu_seconds_total /m)
    assert.equal((await probe('/metrics')).status, 401)
    assert.equal((await probe(BASE)).status, 404)
    await assert.rejects(probe('/healthz', port), isRefused)

    await server.resume()
    await program.ready()
    for (const at of [port, probePort]) {
      assert.equal((await probe('/readyz', at)).status, 200)
      assert.equal((await probe('/healthz', at)).status, 200)
    }
    assert.match(String((await probe('/metrics', probePort, reader)).body), /^search_index_bytes /m)
    assert.equal((await probe('/metrics', port, reader)).status, 404)
    assert.equal(await program.stop(), 0, program.output)
    await assert.rejects(probe('/healthz'), isRefused)
  })

  test('ends a start that waits for it at once when it is asked to stop', async (t) => {
    await server.halt()
    const program = new Program({ dataDir, databaseUrl: server.url })
    t.after(() => program.child.kill('SIGKILL'))
    await program.says(/waiting for the database/)
    assert.equal(await program.stop(), 0, program.output)
    await server.resume()
  })

  test('that one process cannot reach costs no request beside one that can', async (t) => {
    await administer(server.url, 'create database half')
    const databaseUrl = urlOf(server.url, 'half')
    const ports = [await freePort(), await freePort()]
    const healthy = new Program({ dataDir, databaseUrl }, undefined, ports[0])
    t.after(() => healthy.child.kill('SIGKILL'))
    const { key } = await healthy.ready()
    const nobody = await freePort()
    const lost = changed((url) => Object.assign(url, { pathname: '/half', port: String(nobody) }))
    const waiting = new Program({ dataDir, databaseUrl: lost }, undefined, ports[1])
    t.after(() => waiting.child.kill('SIGKILL'))
    const balancer = await Balancer.before(ports)
    t.after(() => balancer.close())
    const call = async (path: string, body?: object) => (await onNewConnection(balancer, path, key!, body)).status
    // Some requests come before the start knows that its database is away, and some while it waits.
    const statuses: number[] = []
    let isWaiting = false
    const told = waiting.says(/waiting for the database/).then(() => (isWaiting = true))
    for (let after = 0; after < 20;) {
      statuses.push(await call(BASE), await call('/api/knowledge/categories', { name: `${statuses.length}` }))
      if (isWaiting) after++
    }
    await told
    assert.deepEqual(new Set(statuses), new Set([200, 201]))
    assert.equal(await waiting.stop(), 0, waiting.output)
    assert.equal(await healthy.stop(), 0, healthy.output)
  })

  test('that is restarted costs requests some time, and none fails', async (t) => {
    await administer(server.url, 'create database restarted')
    const program = new Program({ dataDir, databaseUrl: urlOf(server.url, 'restarted') })
    t.after(() => program.child.kill('SIGKILL'))
    const { url, key } = await program.ready()
    const list = async () => (await fetch(url + BASE, { headers: { authorization: `Bearer ${key}` } })).status
    assert.equal(await list(), 200)
    await server.halt()
    await program.says(/background task failed/)
    const waiting = list()
    await server.resume()
    assert.equal(await waiting, 200, program.output)
    assert.equal(await program.stop(), 0, program.output)
  })

  describe('that refuses a service which runs', { concurrency: 2 }, () => {
    const refusals = [
      {
        what: 'since the password was changed',
        role: 'rotated',
        refuse: [`alter role rotated password 'other'; ${drop('rotated')}`],
        reason: /password authentication failed for user "rotated"/,
      },
      {
        what: 'since the database was dropped',
        role: 'dropped',
        refuse: ['drop database dropped with (force)'],
        reason: /database "dropped" does not exist/,
      },
      {
        what: 'since the database was dropped and made anew',
        role: 'remade',
        refuse: ['drop database remade with (force)', 'create database remade owner remade'],
        reason: /relation "tenants" does not exist/,
      },
      {
        what: 'since the rights of its role were revoked',
        role: 'revoked',
        refuse: ['revoke all on tenants from revoked'],
        reason: /permission denied for table tenants/,
      },
    ]
    // Which codes of PostgreSQL are refusals, `refusals.test.ts` shows; here one of them goes through a whole process.
    for (const { what, role, refuse, reason } of refusals.slice(0, inTier({ gate: 1, all: refusals.length }))) {
      test(`${what} is answered for with 503, and the process ends with one line that says why`, async (t) => {
        await administer(server.url, `create role ${role} login password '${role}'`)
        await administer(server.url, `create database ${role} owner ${role}`)
        const databaseUrl = changed((url) => {
          Object.assign(url, { username: role, password: role, pathname: `/${role}` })
        })
        const program = new Program({ dataDir, databaseUrl }, undefined, 0, { DATABASE_REFUSAL_SECONDS: '3' })
        t.after(() => program.child.kill('SIGKILL'))
        const { url, key } = await program.ready()
        const status = async (path: string): Promise<number | null> => {
          const headers = { authorization: `Bearer ${key}` }
          const answer = await fetch(url + path, { headers }).catch(() => null)
          if (answer?.status === 503) assert.equal(answer.headers.get('retry-after'), '1', path)
          return answer?.status ?? null
        }
        assert.deepEqual([await status(BASE), await status('/readyz')], [200, 200])

        for (const statement of refuse) await administer(role === 'revoked' ? databaseUrl : server.url, statement)
        const seen = new Set<number | null>()
        let notReady = false
        await until(async () => {
          seen.add(await status(BASE))
          notReady ||= (await status('/readyz')) === 503
          return program.child.exitCode !== null
        }, 'the process ends')
        assert.ok(notReady, program.output)
        assert.ok(seen.has(503), program.output)
        assert.ok(!seen.has(500), program.output)
        assert.equal(await program.ended(), 1, program.output)
        const [line = '', ...more] = program.output.match(/^PostgreSQL has .*$/gm) ?? []
        assert.match(line, /^PostgreSQL has refused new connections for 3 seconds: .* Check DATABASE_URL/)
        assert.match(line, reason)
        assert.deepEqual(more, [])
      })
    }
  })
})
