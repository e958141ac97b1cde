import assert from 'node:assert/strict'
import { after, before, describe, test, type TestContext } from 'node:test'
import pg from 'pg'
import { type DatabaseKind, DATABASES } from '../support/databases.ts'
import { type Answer, TestService } from '../support/service.ts'
import { holdLock } from './lock-holder.ts'
import { HANG_MS } from '../support/patience.ts'
import { connectionsWait } from '../support/waiting-writes.ts'

const BASE = '/api/knowledge/knowledge-entries'
const UNAVAILABLE = [{ loc: [], msg: 'Storage is not available, try again', type: 'unavailable' }]
/** Most PostgreSQL connections of one tenant; beyond them its reads have none. */
const CONNECTIONS_MAX = 5
/**
 * Number of writes that wait for the lock too long. Each gives up after ten seconds; if each waited for the others to
 * give up first, the test would hang.
 */
const LOST = 40
const BOUNDED = { timeout: HANG_MS }

/** Makes every read of entries wait, each with a connection. */
async function lockTable(t: TestContext, { place }: TestService): Promise<() => Promise<void>> {
  const client = new pg.Client({ connectionString: place.options.databaseUrl! })
  await client.connect()
  await client.query('begin')
  await client.query('lock table entries in access exclusive mode')
  let ended: Promise<void> | null = null
  const once = (): Promise<void> => (ended ??= client.end())
  t.after(once)
  return once
}

/** Takes the lock that every write needs. The returned function releases it, and so does the end of the test. */
async function lock(t: TestContext, kind: DatabaseKind, service: TestService): Promise<() => Promise<void>> {
  const release = await take(kind, service)
  let released: Promise<void> | null = null
  const once = (): Promise<void> => (released ??= release())
  t.after(once)
  return once
}

async function take(kind: DatabaseKind, { place }: TestService): Promise<() => Promise<void>> {
  if (kind.name === 'SQLite') return holdLock(place.options.dataDir)
  const client = new pg.Client({ connectionString: place.options.databaseUrl! })
  await client.connect()
  await client.query('begin')
  await client.query('select * from tenants for update')
  return async () => {
    await client.query('rollback')
    await client.end()
  }
}

// Most of this is waiting, so both databases run at the same time.
describe('while another process holds the lock', { concurrency: true }, () => {
  for (const kind of DATABASES) describe(`of ${kind.name}`, { concurrency: 1 }, () => suite(kind))
})

function suite(kind: DatabaseKind): void {
  let service: TestService
  let categoryId: string
  let id: string

  before(async () => {
    service = await TestService.start(kind)
    categoryId = await service.category()
    id = (await write('Before')).body.id
  })
  after(() => service.stop())

  const write = (title: string): Promise<Answer> =>
    service.call('POST', BASE, { body: { title, content: 'Quokka', category_id: categoryId } })
  const titles = async () => new Set((await service.call('GET', BASE)).body.map((e: { title: string }) => e.title))
  const reads = async () => {
    assert.equal((await service.call('GET', `${BASE}/${id}`)).status, 200)
    const hits = await service.call('POST', `${BASE}/search`, { body: { query: 'Quokka', mode: 'hybrid' } })
    assert.ok(hits.status === 200 && hits.body.length > 0)
    assert.equal((await service.call('GET', '/readyz')).status, 200)
  }

  test('writes wait and then succeed, and reads do not wait', async (t) => {
    const release = await lock(t, kind, service)
    let answered = 0
    const writes = ['one', 'two', 'three', 'four'].map((title) => write(title).finally(() => answered++))
    // Once: a write that gets no connection for five seconds is refused.
    await reads()
    assert.equal(answered, 0)
    await release()
    for (const { status, body } of await Promise.all(writes)) assert.equal(status, 201, JSON.stringify(body))
    assert.ok((await titles()).isSupersetOf(new Set(['one', 'two', 'three', 'four'])))
  })

  test('for too long, all waiting writes are asked to try again, and none of them is stored', BOUNDED, async (t) => {
    const release = await lock(t, kind, service)
    const writes = Array.from({ length: LOST }, (_, i) => write(`lost ${i}`))
    await reads()
    for (const { status, headers, body } of await Promise.all(writes)) {
      assert.deepEqual([status, body.detail, headers.get('retry-after')], [503, UNAVAILABLE, '1'])
    }
    await reads()
    await release()
    assert.equal((await write('After')).status, 201)
    const stored = await titles()
    assert.ok(stored.has('After'))
    assert.deepEqual(
      [...stored].filter((title) => String(title).startsWith('lost')),
      [],
    )
  })

  if (kind.name === 'PostgreSQL') {
    test('and many writes of a tenant wait, reads of all tenants still get connections', async (t) => {
      const release = await lock(t, kind, service)
      const writes = Array.from({ length: 2 * CONNECTIONS_MAX }, (_, i) => write(`queued ${i}`))
      await connectionsWait(service.database, 1)
      await Promise.all(Array.from({ length: CONNECTIONS_MAX }, reads))
      await release()
      for (const answer of await Promise.all(writes)) assert.equal(answer.status, 201)
    })

    test('and no connection is left, requests are asked to try again, and work afterwards', async (t) => {
      const release = await lockTable(t, service)
      const read = () => service.call('GET', `${BASE}/${id}`)
      const waiting = Array.from({ length: CONNECTIONS_MAX }, read)
      await connectionsWait(service.database, CONNECTIONS_MAX)
      for (const { status, headers, body } of await Promise.all(Array.from({ length: 5 }, read))) {
        assert.deepEqual([status, body.detail, headers.get('retry-after')], [503, UNAVAILABLE, '1'])
      }
      await release()
      for (const answer of await Promise.all(waiting)) assert.equal(answer.status, 200)
      await reads()
    })
  }
}
