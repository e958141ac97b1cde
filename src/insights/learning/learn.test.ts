import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { type KyselyPlugin, sql } from 'kysely'
import { onEachDatabase, type TestDatabase } from '../../../test/support/databases.ts'
import { type Database, openDatabase } from '../../platform/database/database.ts'
import { migrate } from '../../platform/database/migrate.ts'
import { createTenant } from '../../composition/new-tenant.ts'
import { DEFAULT_SETTINGS } from '../../identity/tenants/settings.ts'
import { lastLearntAt, tenantsThatLearn } from './boost-store.ts'
import { boostsFor } from './boosts.ts'
import { learnTenant } from './learn.ts'
import { BOOST_MAX } from './learning.ts'
import { storeBatch } from '../search-log/store-batch.ts'
import { type NewClick, type NewSearch, writeBatch } from '../search-log/store.ts'
import { sweepLog } from '../search-log/sweep.ts'

const DAY_MS = 86_400_000
const NOW = 20_000 * DAY_MS + 12_345

/** A database that counts the statements of its transactions, and the rows that they answer. */
function countingReads(database: Database) {
  let rows = 0
  let statements = 0
  const plugin: KyselyPlugin = {
    transformQuery: ({ node }) => node,
    async transformResult({ result }) {
      statements++
      rows += result.rows.length
      return result
    },
  }
  const write: Database['write'] = (work, ...more) => database.write((tx) => work(tx.withPlugin(plugin)), ...more)
  return { rows: () => rows, statements: () => statements, counting: { ...database, write } }
}

let lastId = 0
const newName = (of: string) => `${of}-${++lastId}`

function search(tenantId: string, more: Partial<NewSearch> = {}): NewSearch {
  return {
    tenant_id: tenantId,
    id: newName('search'),
    section: 'products',
    at: NOW - DAY_MS,
    site_id: null,
    mode: 'hybrid',
    query: 'Drill',
    query_key: 'drill',
    page_offset: 0,
    hits: 3,
    shown: '["a","b","c"]',
    user_id: newName('user'),
    client_id: null,
    duration_ms: 1.5,
    visitor: null,
    ...more,
  }
}

function click(of: NewSearch, productId: string, more: Partial<NewClick> = {}): NewClick {
  return {
    tenant_id: of.tenant_id,
    id: newName('click'),
    at: of.at + 1_000,
    search_log_id: of.id,
    action: 'click',
    product_id: productId,
    section: 'products',
    rank: 0,
    score: 0,
    user_id: of.user_id,
    client_id: null,
    visitor: of.visitor,
    network: of.visitor === null ? null : `network of ${of.visitor}`,
    ...more,
  }
}

onEachDatabase('learning from clicks', (kind) => {
  let place: TestDatabase
  let database: Database
  before(async () => {
    place = await kind.create()
    database = openDatabase(place.options)
    await migrate(database)
  })
  after(async () => {
    await database.close()
    await place.remove()
  })

  const tenant = async (settings: object = {}) => {
    const id = newName('tenant')
    await createTenant(database, { id, name: id, host: null })
    await database.queries
      .updateTable('tenants')
      .set({ settings: JSON.stringify(settings) })
      .where('tenant_id', '=', id)
      .execute()
    return { id, settings: { ...DEFAULT_SETTINGS, ...settings } }
  }
  const site = async (tenantId: string, config: object) => {
    const id = newName('site')
    await database.queries
      .insertInto('sites')
      .values({
        tenant_id: tenantId,
        id,
        slug: id,
        name: id,
        domain: null,
        language: 'de',
        site_type: 'shop',
        platform: null,
        config: JSON.stringify(config),
        is_default: 0,
        created_at: 0,
      })
      .execute()
    return id
  }
  /** Sixty people search on these days. Every second one clicks the product in third place. */
  const fill = async (tenantId: string, more: Partial<NewSearch> = {}, daysAgo: readonly number[] = [1, 2, 3]) => {
    const searches = Array.from({ length: 60 }, (_, i) =>
      search(tenantId, { at: NOW - daysAgo[(i >> 1) % daysAgo.length] * DAY_MS, ...more }),
    )
    await writeBatch(database, {
      searches,
      clicks: searches.filter((_, i) => i % 2 === 0).map((of) => click(of, 'c')),
    })
  }
  /** Searches on three days, each with a click on the product in third place. */
  const clicked = async (
    tenantId: string,
    count: number,
    ofSearch: (i: number) => Partial<NewSearch>,
    ofClick: (i: number) => Partial<NewClick> = () => ({}),
  ) => {
    const searches = Array.from({ length: count }, (_, i) =>
      search(tenantId, { at: NOW - (1 + (i % 3)) * DAY_MS, user_id: null, ...ofSearch(i) }),
    )
    await writeBatch(database, { searches, clicks: searches.map((of, i) => click(of, 'c', ofClick(i))) })
  }
  const learns = async (tenantId: string) => (await learnTenant(database, tenantId, { now: NOW })) > 0
  const visitor = (i: number) => ({ visitor: `600.v${i}` })

  test('a product clicked more than its rank explains rises, one passed over falls, and the boost says why', async () => {
    const on = await tenant({ clickLearning: true })
    await fill(on.id)
    assert.equal(await learnTenant(database, on.id, { now: NOW }), 1)
    const boosts = await boostsFor(database, on, null, 'drill')
    const rise = boosts.get('c')!
    assert.ok(rise.boost > 0.05 && rise.boost <= BOOST_MAX, JSON.stringify(rise))
    assert.ok(rise.clicks > 25 && rise.expectedClicks > 0 && rise.clicks > rise.expectedClicks)
    assert.ok(boosts.get('a')!.boost < 0)
    assert.equal((await boostsFor(database, on, null, 'hammer')).size, 0)
    assert.equal((await boostsFor(database, on, null, null)).size, 0)
  })

  test('nothing is learnt while learning is off, and switching it off takes effect at once', async () => {
    const off = await tenant()
    await fill(off.id)
    assert.equal(await learnTenant(database, off.id, { now: NOW }), 0)
    const on = await tenant({ clickLearning: true })
    await fill(on.id)
    await learnTenant(database, on.id, { now: NOW })
    assert.ok((await boostsFor(database, on, null, 'drill')).size > 0)
    const switched = { id: on.id, settings: { ...on.settings, clickLearning: false } }
    assert.equal((await boostsFor(database, switched, null, 'drill')).size, 0)
  })

  test("a site's config overrides its tenant's setting either way, and sites do not learn from each other", async () => {
    const off = await tenant()
    const [yes, silent] = [await site(off.id, { click_learning: true }), await site(off.id, { click_learning: 'yes' })]
    for (const site_id of [yes, silent]) await fill(off.id, { site_id })
    assert.equal(await learnTenant(database, off.id, { now: NOW }), 1)
    assert.ok((await boostsFor(database, off, yes, 'drill')).size > 0)
    assert.equal((await boostsFor(database, off, silent, 'drill')).size, 0)
    assert.equal((await boostsFor(database, off, null, 'drill')).size, 0)

    const on = await tenant({ clickLearning: true })
    const [no, other] = [await site(on.id, { click_learning: false }), await site(on.id, {})]
    await fill(on.id, { site_id: no })
    await fill(on.id, { site_id: other, query_key: 'saw' })
    assert.equal(await learnTenant(database, on.id, { now: NOW }), 1)
    assert.equal((await boostsFor(database, on, no, 'drill')).size, 0)
    assert.ok((await boostsFor(database, on, other, 'saw')).size > 0)
    assert.equal((await boostsFor(database, on, other, 'drill')).size, 0)
  })

  test('queries without a click, knowledge searches and old searches teach nothing', async () => {
    const on = await tenant({ clickLearning: true })
    await writeBatch(database, { searches: [search(on.id)], clicks: [] })
    await fill(on.id, { section: 'knowledge', query_key: 'knowledge' })
    await fill(on.id, { query_key: 'old' }, [91, 92, 93])
    assert.equal(await learnTenant(database, on.id, { now: NOW }), 0)
  })

  test('one user who clicks a thousand times over three days teaches nothing', async () => {
    const on = await tenant({ clickLearning: true })
    await clicked(on.id, 1_000, () => ({ user_id: 'eager' }))
    assert.equal(await learns(on.id), false)
  })

  test('a user who searches endlessly does not crowd out the searches of others', async () => {
    const on = await tenant({ clickLearning: true })
    await clicked(on.id, 25, (i) => ({ user_id: `user ${i}` }))
    await clicked(on.id, 2_000, () => ({ user_id: 'eager', at: NOW - 1_000 }))
    assert.equal(await learns(on.id), true)
    assert.ok((await boostsFor(database, on, null, 'drill')).get('c')!.clicks > 20)
  })

  test('endless made-up visitor ids of one network do not crowd out others, and teach nothing', async () => {
    const on = await tenant({ clickLearning: true })
    const place = { network: 'one' }
    await clicked(on.id, 1_500, visitor, () => place)
    assert.equal(await learns(on.id), false)
    await clicked(on.id, 20, (i) => visitor(-1 - i))
    assert.equal(await learns(on.id), true)
  })

  test('X-Client-Id does not tell visitors apart, and without a visitor id nothing does', async () => {
    const on = await tenant({ clickLearning: true })
    await clicked(on.id, 60, (i) => ({ client_id: `client ${i}` }))
    assert.equal(await learns(on.id), false)
  })

  test("a click on another visitor's search does not count", async () => {
    const on = await tenant({ clickLearning: true })
    await clicked(on.id, 60, visitor, (i) => ({ visitor: `600.other${i}` }))
    await clicked(on.id, 60, visitor, () => ({ visitor: null }))
    await clicked(on.id, 60, visitor, (i) => ({ user_id: `user ${i}` }))
    assert.equal(await learns(on.id), false)
  })

  test('nineteen visitors of different networks on three days teach nothing, the twentieth makes the difference', async () => {
    const on = await tenant({ clickLearning: true })
    await clicked(on.id, 19, visitor)
    assert.equal(await learns(on.id), false)
    await clicked(on.id, 1, () => visitor(19))
    assert.equal(await learns(on.id), true)
  })

  test('a tenant or site that trusts its visitor ids learns from one network', async () => {
    const place = { network: 'one' }
    const trusting = await tenant({ clickLearning: true, trustedVisitors: true })
    await clicked(trusting.id, 20, visitor, () => place)
    assert.equal(await learns(trusting.id), true)
    const other = await tenant({ clickLearning: true })
    const [yes, no] = [await site(other.id, { trusted_visitors: true }), await site(other.id, {})]
    for (const site_id of [yes, no])
      await clicked(
        other.id,
        20,
        (i) => ({ ...visitor(i), site_id }),
        () => place,
      )
    await learnTenant(database, other.id, { now: NOW })
    assert.ok((await boostsFor(database, other, yes, 'drill')).size > 0)
    assert.equal((await boostsFor(database, other, no, 'drill')).size, 0)
  })

  test('learning reads its searches from the index of clicked searches with a visitor', async () => {
    if (kind.name !== 'SQLite') return
    const { rows } = await sql<{ detail: string }>`
      explain query plan select id, at, user_id, visitor from search_log
      where tenant_id = 't' and section = 'products' and at >= 0 and clicks > 0
        and coalesce(user_id, visitor) is not null and site_id is null and query_key = 'drill'
      order by at desc, id desc limit 500`.execute(database.queries)
    assert.match(
      rows.map(({ detail }) => detail).join(),
      /^SEARCH search_log USING (?:COVERING )?INDEX search_log_by_visitor/,
    )
  })

  test('the next computation removes boosts that products no longer earn', async () => {
    const on = await tenant({ clickLearning: true })
    await fill(on.id)
    await learnTenant(database, on.id, { now: NOW })
    assert.ok((await tenantsThatLearn(database)).includes(on.id))
    assert.equal(await lastLearntAt(database, on.id), NOW)
    await learnTenant(database, on.id, { now: NOW + 100 * DAY_MS })
    assert.equal((await boostsFor(database, on, null, 'drill')).size, 0)
    assert.equal(await lastLearntAt(database, on.id), null)
  })

  test('the sweep deletes only rows older than their tenant keeps them', async () => {
    const [short, long] = [await tenant({ searchLogDays: 7 }), await tenant()]
    for (const { id } of [short, long]) {
      await fill(id, {}, [8])
      await fill(id, {}, [6])
    }
    await sweepLog(database, { now: NOW })
    const count = async (table: 'search_log' | 'search_clicks', tenantId: string) =>
      (await database.queries.selectFrom(table).select('id').where('tenant_id', '=', tenantId).execute()).length
    assert.deepEqual([await count('search_log', short.id), await count('search_clicks', short.id)], [60, 30])
    assert.deepEqual([await count('search_log', long.id), await count('search_clicks', long.id)], [120, 60])
  })

  test('a batch that is written twice counts once', async () => {
    const { id } = await tenant()
    const of = search(id)
    const batch = { searches: [of], clicks: [click(of, 'b'), click(of, 'a')] }
    await writeBatch(database, batch)
    await writeBatch(database, batch)
    const row = await database.queries.selectFrom('search_log').selectAll().where('id', '=', of.id).executeTakeFirst()
    assert.deepEqual([row?.clicks, row?.first_rank], [2, 2])
  })

  test('a click and its search that are written at the same time find each other', async () => {
    const { id } = await tenant()
    const searches = Array.from({ length: 200 }, () => search(id))
    for (const of of searches) {
      await Promise.all([
        writeBatch(database, { searches: [of], clicks: [] }),
        writeBatch(database, { searches: [], clicks: [click(of, 'b')] }),
      ])
    }
    const rows = await database.queries.selectFrom('search_log').select('clicks').where('tenant_id', '=', id).execute()
    assert.equal(rows.length, 200)
    assert.deepEqual(
      rows.filter(({ clicks }) => clicks !== 1),
      [],
    )
  })

  test('a click on a combined search counts in the section it names', async () => {
    const { id } = await tenant()
    const products = search(id)
    const knowledge = search(id, { id: products.id, section: 'knowledge', shown: '["e","c"]' })
    await writeBatch(database, { searches: [knowledge, products], clicks: [click(products, 'c')] })
    const rows = await database.queries
      .selectFrom('search_log')
      .select(['section', 'first_rank'])
      .where('id', '=', products.id)
      .orderBy('section')
      .execute()
    assert.deepEqual(
      rows.map((row) => row.first_rank),
      [null, 3],
    )
  })

  test('clicks on an unknown search are not read by later ones, and are counted once the search arrives', async () => {
    const { id } = await tenant()
    const late = search(id)
    const clicks = Array.from({ length: 20_000 }, () => click(late, 'b'))
    await writeBatch(database, { searches: [], clicks })
    const { rows: readRows, statements, counting } = countingReads(database)
    for (const clicked of [search(id), late]) {
      await writeBatch(counting, { searches: [], clicks: [click(clicked, 'b')] })
    }
    assert.equal(readRows(), 0)
    assert.ok(statements() > 0)
    await writeBatch(counting, { searches: [late], clicks: [] })
    assert.ok(readRows() > 20_000, 'clicks on a search that exists are read')
    const row = await database.queries.selectFrom('search_log').selectAll().where('id', '=', late.id).executeTakeFirst()
    assert.deepEqual([row?.clicks, row?.first_rank], [20_001, 2])
  })

  test('when the database refuses a row, the other rows of the batch are still written', async () => {
    const { id } = await tenant()
    const searches = Array.from({ length: 20 }, () => search(id))
    const clicks = searches.map((of) => click(of, 'a'))
    const broken = { ...clicks[7], at: null as unknown as number }
    const outcome = await storeBatch(database, { searches, clicks: clicks.with(7, broken) })
    assert.deepEqual(outcome, { refusedSearches: 0, refusedClicks: 1 })
    const rows = await database.queries.selectFrom('search_log').select('clicks').where('tenant_id', '=', id).execute()
    assert.deepEqual([rows.length, rows.filter((row) => row.clicks === 1).length], [20, 19])
  })

  test('rows of a deleted tenant are left out without an error', async () => {
    const of = search('no tenant')
    await writeBatch(database, { searches: [of], clicks: [click(of, 'a')] })
    assert.deepEqual(await database.queries.selectFrom('search_log').select('id').where('id', '=', of.id).execute(), [])
  })
})
