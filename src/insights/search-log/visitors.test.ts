import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { onEachDatabase, type TestDatabase } from '../../../test/support/databases.ts'
import { type Database, openDatabase } from '../../platform/database/database.ts'
import { migrate } from '../../platform/database/migrate.ts'
import { SecretFileError } from '../../platform/secret-file.ts'
import { SecretBox } from '../../platform/secrets.ts'
import { createTenant } from '../../composition/new-tenant.ts'
import type { QueuedClick, QueuedSearch } from './queued.ts'
import { sweepLog } from './sweep.ts'
import { SALT_PERIOD_MS, VisitorHashes } from './visitors.ts'

const NOW = 600 * SALT_PERIOD_MS
const ID = 'visitor 4711'
const IP = '203.0.113.7'

const search = (more: Partial<QueuedSearch> = {}) =>
  ({ tenant_id: 'one', at: NOW, query: 'Rote Schuhe', language: 'de', visitor_id: ID, ...more }) as QueuedSearch
const click = (more: Partial<QueuedClick> = {}) =>
  ({ tenant_id: 'one', at: NOW, visitor_id: ID, ip: IP, ...more }) as QueuedClick

onEachDatabase('hashes of visitors', (kind) => {
  let place: TestDatabase
  let database: Database
  let other: Database
  before(async () => {
    place = await kind.create()
    database = openDatabase(place.options)
    other = openDatabase(place.options)
    await migrate(database)
    for (const id of ['one', 'two']) await createTenant(database, { id, name: id, host: null })
  })
  after(async () => {
    await database.close()
    await other.close()
    await place.remove()
  })

  const unreadable: string[] = []
  const hashes = (of: Database = database, secret = 'the secret of the installation') =>
    new VisitorHashes(of, new SecretBox(() => secret), (error) => unreadable.push(error.message))
  const hashOf = async (by: VisitorHashes, more: Partial<QueuedSearch> = {}) =>
    (await by.rowsOf({ searches: [search(more)], clicks: [] })).searches[0].visitor
  const salts = () => database.queries.selectFrom('visitor_salts').selectAll().execute()

  test('two processes that need a salt at once agree on one, so that both make the same hash of a visitor', async () => {
    const [one, two] = await Promise.all([hashOf(hashes()), hashOf(hashes(other))])
    assert.match(one!, /^600\.[\w-]{22}$/)
    assert.equal(two, one)
    assert.equal(await hashOf(hashes()), one)
    assert.equal((await salts()).length, 1)
  })

  test('neither rows nor the salt contain a visitor id or an address in plain text', async () => {
    const rows = await hashes().rowsOf({ searches: [search()], clicks: [click()] })
    const text = JSON.stringify([rows, await salts()])
    for (const clear of [ID, IP, 'visitor_id', '"ip"', 'language']) assert.ok(!text.includes(clear), clear)
    const [{ visitor, network }] = rows.clicks
    assert.notEqual(visitor, network)
    assert.equal(visitor, rows.searches[0].visitor)
    assert.equal(rows.searches[0].query_key, 'rot schuh')
  })

  test('a network is the /24 of IPv4 or the /48 of IPv6', async () => {
    const of = async (ip: string) =>
      (await hashes().rowsOf({ searches: [], clicks: [click({ ip })] })).clicks[0].network
    assert.equal(await of('2001:db8:1:2::1'), await of('2001:db8:1:3::1'))
    assert.notEqual(await of('2001:db8:1:2::1'), await of('2001:db8:2:2::1'))
    assert.equal(await of('203.0.113.8'), await of(`::ffff:${IP}`))
    assert.notEqual(await of('203.0.114.7'), await of(IP))
  })

  test('a visitor has a different hash in every tenant, and after 30 days', async () => {
    const by = hashes()
    const distinct = new Set([
      await hashOf(by),
      await hashOf(by, { tenant_id: 'two' }),
      await hashOf(by, { at: NOW + SALT_PERIOD_MS }),
    ])
    assert.equal(distinct.size, 3)
    assert.equal(await hashOf(by, { at: NOW + SALT_PERIOD_MS - 1 }), await hashOf(by))
  })

  test('the salt of a past period is deleted, and nothing can make the same hash again', async () => {
    const before = await hashOf(hashes())
    await sweepLog(database, { now: NOW + SALT_PERIOD_MS - 1 })
    assert.equal(await hashOf(hashes()), before)
    await sweepLog(database, { now: NOW + SALT_PERIOD_MS })
    assert.deepEqual([...new Set((await salts()).map(({ period }) => period))], [601])
    assert.notEqual(await hashOf(hashes()), before)
  })

  test('without a visitor id, and for deleted tenants, no salt is made and no hash kept', async () => {
    await database.queries.deleteFrom('visitor_salts').execute()
    const rows = await hashes().rowsOf({
      searches: [search({ visitor_id: null }), search({ tenant_id: 'gone' })],
      clicks: [click({ visitor_id: null, ip: null })],
    })
    assert.deepEqual(
      rows.searches.map((row) => row.visitor),
      [null, null],
    )
    assert.deepEqual([rows.clicks[0].visitor, rows.clicks[0].network], [null, null])
    assert.deepEqual(await salts(), [])
  })

  test('rows are written even when the secret file cannot be read', async () => {
    const broken = new SecretBox(() => {
      throw new SecretFileError('no key')
    })
    unreadable.length = 0
    const by = new VisitorHashes(database, broken, (error) => unreadable.push(error.message))
    assert.deepEqual([await hashOf(by), await hashOf(by)], [null, null])
    assert.deepEqual(unreadable, ['no key'])
  })

  test('a salt sealed with another key is left alone: rows are written without visitors, and the fault is reported', async () => {
    await hashOf(hashes())
    const before = await salts()
    const by = hashes(database, 'the secret of another machine')
    unreadable.length = 0
    assert.deepEqual([await hashOf(by), await hashOf(by)], [null, null])
    assert.deepEqual(unreadable, ['it was sealed with another SECRET_KEY'])
    assert.deepEqual(await salts(), before)
  })
})
