import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { sql } from 'kysely'
import { Pool } from 'undici'
import type { SearchClickRow, SearchLogRow } from '../../src/platform/database/tables.ts'
import { changeTenant } from '../../src/identity/tenants/rules.ts'
import { onEachDatabase } from '../support/databases.ts'
import { TestService } from '../support/service.ts'
import { found } from '../support/patience.ts'
import { joinService } from '../support/shared-service.ts'
import { inTier } from '../support/tier.ts'

const ENTRIES = '/api/knowledge/knowledge-entries'
const CLICKS = '/api/knowledge/search/clicks'
const ANALYTICS = '/api/knowledge/analytics/search'
const UNKNOWN = '00000000-0000-7000-8000-000000000000'

const clickOn = (search_log_id: string, product_id: string, more: object = {}) => ({
  search_log_id,
  product_id,
  action: 'click',
  section: 'knowledge',
  ...more,
})

/** Repeats a query until its result is as expected; the log is written up to a second later. @returns that result */
function eventually<T>(read: () => Promise<T>, hoped: (value: T) => boolean): Promise<NonNullable<T>> {
  let last: T
  return found(
    async () => (hoped((last = await read())) ? last : null),
    () => `${JSON.stringify(last)} is as expected`,
  )
}

onEachDatabase('the search log and clicks', (kind) => {
  let service: TestService
  let category: string
  let entries: string[]
  before(async () => {
    service = await TestService.start(kind)
    category = await service.category()
    entries = []
    for (const title of ['Okapi one', 'Okapi two', 'Okapi three']) {
      const body = { title, content: 'Okapi', category_id: category }
      entries.push((await service.call('POST', ENTRIES, { body })).body.id)
    }
  })
  after(() => service.stop())

  const search = async (query: string, more: object = {}, key?: string) => {
    const answer = await service.call('POST', `${ENTRIES}/search`, { key, body: { query, mode: 'keyword', ...more } })
    assert.equal(answer.status, 200)
    return {
      id: answer.headers.get('x-search-log-id')!,
      ids: answer.body.map((hit: { entry: { id: string } }) => hit.entry.id) as string[],
    }
  }
  const logged = (id: string) =>
    service.database.queries.selectFrom('search_log').selectAll().where('id', '=', id).execute()
  const clicked = (id: string) =>
    service.database.queries.selectFrom('search_clicks').selectAll().where('search_log_id', '=', id).execute()
  const settledSearch = (id: string, hoped: (row: SearchLogRow) => boolean = () => true) =>
    eventually(
      () => logged(id),
      (rows) => rows.length === 1 && hoped(rows[0]),
    ).then(([row]) => row)
  const settledClicks = (id: string, hoped: (rows: SearchClickRow[]) => boolean) => eventually(() => clicked(id), hoped)
  const metric = async (name: string) => {
    const { body } = await service.call('GET', '/metrics', { key: null })
    return Number(
      (body as string)
        .split('\n')
        .find((line) => line.startsWith(`${name} `))
        ?.split(' ')[1],
    )
  }

  test('a search is logged under the id that it answered', async () => {
    const { id, ids } = await search('  OKAPI! ', { limit: 2 })
    const row = await settledSearch(id)
    assert.equal(row.tenant_id, 'default')
    assert.deepEqual([row.section, row.mode, row.site_id], ['knowledge', 'keyword', null])
    assert.deepEqual([row.query, row.query_key], ['  OKAPI! ', 'okapi'])
    assert.deepEqual([row.hits, row.page_offset, row.clicks, row.first_rank], [2, 0, 0, null])
    assert.deepEqual(JSON.parse(row.shown), ids)
    assert.ok(row.user_id !== null && row.duration_ms > 0 && Math.abs(Date.now() - row.at) < 60_000)
  })

  test('a click is stored with user, time and rank, even while its search is not yet written', async () => {
    const { id, ids } = await search('Okapi')
    const answer = await service.call('POST', CLICKS, {
      body: clickOn(id, ids[1], { rank: 7, score: 0.25 }),
      headers: { 'x-client-id': 'assistant' },
    })
    assert.deepEqual([answer.status, answer.body], [202, { accepted: true }])
    const [row] = await settledClicks(id, (rows) => rows.length === 1 && rows[0].search_known === 1)
    assert.deepEqual([row.search_known, row.shown_rank, row.rank, row.score], [1, 2, 7, 0.25])
    // The claim in a header does not make the sender a visitor.
    assert.deepEqual([row.product_id, row.action, row.client_id], [ids[1], 'click', null])
    assert.ok(row.user_id !== null)
    assert.deepEqual(await settledSearch(id, (of) => of.clicks === 1).then((of) => [of.clicks, of.first_rank]), [1, 2])
  })

  test('rank and score are 0 when the event has none', async () => {
    const { id, ids } = await search('Okapi')
    await service.call('POST', CLICKS, { body: clickOn(id, ids[0]) })
    const [row] = await settledClicks(id, (rows) => rows.length === 1)
    assert.deepEqual([row.rank, row.score], [0, 0])
  })

  test('the first click’s rank stays, ranks count across pages, and unpin is not a click', async () => {
    const { id, ids } = await search('Okapi', { offset: 1 })
    for (const [product, action] of [
      [ids[1], 'unpin'],
      [ids[1], 'pin'],
      [ids[0], 'click'],
    ]) {
      await service.call('POST', CLICKS, { body: clickOn(id, product, { action }) })
    }
    const row = await settledSearch(id, (of) => of.clicks === 2)
    assert.deepEqual([row.page_offset, row.clicks, row.first_rank], [1, 2, 3])
  })

  test('a click for an unknown search or product is accepted and stored', async () => {
    const answer = await service.call('POST', CLICKS, { body: clickOn('never seen', 'no such product') })
    assert.deepEqual([answer.status, answer.body], [202, { accepted: true }])
    const [row] = await settledClicks('never seen', (rows) => rows.length === 1)
    assert.deepEqual([row.search_known, row.shown_rank], [0, null])
    const { id } = await search('Okapi')
    await service.call('POST', CLICKS, { body: clickOn(id, 'not on the page') })
    const [click] = await settledClicks(id, (rows) => rows.length === 1 && rows[0].search_known === 1)
    assert.deepEqual([click.search_known, click.shown_rank], [1, null])
  })

  test("another tenant's search is unknown", async () => {
    const { id, ids } = await search('Okapi')
    await settledSearch(id)
    const other = await service.tenant('other')
    const key = await service.key(['search:log', 'analytics:read'], other)
    await service.call('POST', CLICKS, { key, body: clickOn(id, ids[0]) })
    const [row] = await settledClicks(id, (rows) => rows.length === 1)
    assert.deepEqual([row.tenant_id, row.search_known], [other, 0])
    const { body } = await service.call('GET', ANALYTICS, { key })
    assert.equal(body.total.searches, 0)
    assert.deepEqual(body.top_queries, [])
    assert.deepEqual(
      body.top_products.map((product: { clicks: number }) => product.clicks),
      [1],
    )
  })

  test('faults in a click are refused, and so is a credential without the scope', async () => {
    const missing = await service.call('POST', CLICKS, { body: { rank: 1.5, score: 'x' } })
    assert.equal(missing.status, 422)
    assert.deepEqual(
      missing.body.detail.map(({ loc, type }: { loc: string[]; type: string }) => `${loc.join('.')} ${type}`),
      [
        'body.search_log_id missing',
        'body.action missing',
        'body.product_id missing',
        'body.section missing',
        'body.rank int_from_float',
        'body.score float_type',
      ],
    )
    const key = await service.key(['knowledge:read'])
    assert.equal((await service.call('POST', CLICKS, { key, body: clickOn(UNKNOWN, 'p') })).status, 403)
    assert.equal((await service.call('POST', CLICKS, { key: null, body: clickOn(UNKNOWN, 'p') })).status, 401)
    assert.equal((await service.call('GET', ANALYTICS, { key })).status, 403)
  })

  test('a tenant that keeps no query texts logs neither text nor key, and its analytics still count', async () => {
    const discreet = await service.tenant('discreet')
    await changeTenant(service.database, discreet, { settings: { searchLogQueries: 'none' } })
    const { key } = await service.user({ tenant: discreet, email: 'a@discreet.test' })
    const { id } = await search('a secret', {}, key)
    const row = await settledSearch(id)
    assert.deepEqual([row.query, row.query_key, row.hits], [null, null, 0])
    const { body } = await service.call('GET', ANALYTICS, { key })
    assert.deepEqual([body.total.searches, body.total.zero_results], [1, 1])
    assert.deepEqual([body.top_queries, body.zero_result_queries], [[], []])
  })

  test('a search whose hits all match by chance counts as one without results, until one of them is clicked', async () => {
    const chance = await service.tenant('chance')
    const { key } = await service.user({ tenant: chance, email: 'a@chance.test' })
    const { body: of } = await service.call('POST', '/api/knowledge/categories', { key, body: { name: 'One' } })
    const entry = { title: 'Okapi', content: 'It lives in forests.', category_id: of.id }
    assert.equal((await service.call('POST', ENTRIES, { key, body: entry })).status, 201)
    const figures = async () => {
      const { body } = await service.call('GET', ANALYTICS, { key })
      return [body.total.searches, body.total.zero_results, body.total.zero_clicks]
    }
    const rated = { mode: 'hybrid', relevance: true }
    const { id, ids } = await search('flurbotz', rated, key)
    assert.equal(ids.length, 1)
    await search('okapi', rated, key)
    const read = (row: readonly number[]) => eventually(figures, (value) => value.join() === row.join())
    assert.deepEqual(await read([2, 1, 1]), [2, 1, 1])
    assert.equal((await service.call('POST', CLICKS, { key, body: clickOn(id, ids[0], { rank: 1 }) })).status, 202)
    assert.deepEqual(await read([2, 0, 1]), [2, 0, 1])
  })

  test('a tenant that logs nothing still gets an id, and leaves no row', async () => {
    const silent = await service.tenant('silent')
    await changeTenant(service.database, silent, { settings: { searchLog: 'false' } })
    const { key } = await service.user({ tenant: silent, email: 'a@silent.test' })
    const { id } = await search('nothing', {}, key)
    assert.match(id, /^[0-9a-f-]{36}$/)
    const later = await search('Okapi')
    await settledSearch(later.id)
    assert.deepEqual(await logged(id), [])
  })

  test('a burst of clicks is accepted, and the clicks that are not stored are counted', async () => {
    const burst = inTier({ gate: 2_500, all: 10_000 })
    const written = 'search_events_written_total{kind="click"}'
    const before = await metric(written)
    const { id, ids } = await search('Okapi')
    const statuses = new Set<number>()
    const pool = new Pool(service.service.url, { connections: 10, pipelining: 10 })
    const headers = { authorization: `Bearer ${service.adminKey}`, 'content-type': 'application/json' }
    const body = JSON.stringify(clickOn(id, ids[2]))
    const send = async (): Promise<void> => {
      const answer = await pool.request({ method: 'POST', path: CLICKS, headers, body })
      await answer.body.dump()
      statuses.add(answer.statusCode)
    }
    await Promise.all(Array.from({ length: burst }, send))
    await pool.close()
    assert.deepEqual([...statuses], [202])
    const dropped = await metric('search_events_dropped_total{kind="click",reason="overflow"}')
    const stored = await eventually(
      () => metric(written),
      (value) => value - before + dropped >= burst,
    )
    assert.equal(stored - before + dropped, burst)
    const row = await settledSearch(id, (of) => of.clicks === stored - before)
    assert.deepEqual([row.clicks, row.first_rank], [stored - before, 3])
  })

  test('clicks and searches are written when the service stops', async () => {
    const sibling = await service.sibling()
    const body = { query: 'Okapi', mode: 'keyword' }
    const answer = await service.call('POST', `${ENTRIES}/search`, { body }, sibling.url)
    const id = answer.headers.get('x-search-log-id')!
    await service.call('POST', CLICKS, { body: clickOn(id, answer.body[0].entry.id) }, sibling.url)
    await sibling.stop()
    assert.deepEqual(
      (await logged(id)).map((row) => row.clicks),
      [1],
    )
  })

  test('a click that another process stores before its search is matched to it later', async () => {
    const sibling = await service.sibling()
    const { id, ids } = await search('Okapi')
    await service.call('POST', CLICKS, { body: clickOn(id, ids[0]) }, sibling.url)
    await sibling.stop()
    const row = await settledSearch(id, (of) => of.clicks === 1)
    assert.deepEqual([row.clicks, row.first_rank], [1, 1])
    assert.equal((await clicked(id))[0].search_known, 1)
  })

  test('analytics refuse a range whose end is before its beginning', async () => {
    const answer = await service.call('GET', `${ANALYTICS}?from=2026-02-01T00:00:00Z&to=2026-01-01T00:00:00Z`)
    assert.deepEqual([answer.status, answer.body.detail[0].loc], [422, ['query', 'from']])
    const first = '0000-01-01T00:00:00.000Z'
    const earliest = await service.call('GET', `${ANALYTICS}?to=${first}`)
    assert.deepEqual([earliest.body.from, earliest.body.to], [first, first])
  })
})

onEachDatabase('search analytics', (kind) => {
  let service: TestService
  before(async () => {
    service = await joinService(kind)
    const category = await service.category()
    for (const title of ['Okapi', 'Gnu']) {
      await service.call('POST', ENTRIES, { body: { title, content: `${title} animal`, category_id: category } })
    }
  })
  after(() => service.stop())

  test('count searches, clicks, ranks, searches without hits and searches without clicks', async () => {
    const search = async (query: string, offset = 0) => {
      const body = { query, mode: 'keyword', offset }
      const answer = await service.call('POST', `${ENTRIES}/search`, { body })
      return {
        id: answer.headers.get('x-search-log-id')!,
        ids: answer.body.map((hit: { entry: { id: string } }) => hit.entry.id),
      }
    }
    const click = (id: string, product: string) => service.call('POST', CLICKS, { body: clickOn(id, product) })
    const both = await search('animal')
    await click(both.id, both.ids[1])
    await click(both.id, both.ids[0])
    const one = await search('Okapi')
    await click(one.id, one.ids[0])
    await search('OKAPI')
    await search('gnu')
    await search('Gnu!')
    await search('unicorn')
    // A second page has an id of its own: a click there counts for the product, not for the search.
    const second = await search('animal', 1)
    await click(second.id, second.ids[0])
    const { body } = await eventually(
      () => service.call('GET', ANALYTICS),
      ({ body: { total, top_products: products } }) =>
        total.searches === 6 &&
        total.clicked === 2 &&
        products.reduce((sum: number, product: { clicks: number }) => sum + product.clicks, 0) === 4,
    )
    const figures = {
      searches: 6,
      clicked: 2,
      click_through_rate: 2 / 6,
      mean_reciprocal_rank: 0.75,
      zero_results: 1,
      zero_clicks: 3,
    }
    assert.deepEqual(body.total, figures)
    assert.deepEqual(body.by_day, [{ day: new Date().toISOString().slice(0, 10), ...figures }])
    assert.deepEqual(body.by_site, [{ site_id: null, ...figures }])
    assert.deepEqual(body.by_section, [{ section: 'knowledge', ...figures }])
    const row = (query: string, searches: number, clicked: number, zero_results: number) => ({
      query,
      searches,
      clicked,
      zero_results,
    })
    assert.deepEqual(body.top_queries, [
      row('Gnu!', 2, 0, 0),
      row('OKAPI', 2, 1, 0),
      row('animal', 1, 1, 0),
      row('unicorn', 1, 0, 1),
    ])
    assert.deepEqual(body.zero_result_queries, [row('unicorn', 1, 0, 1)])
    assert.deepEqual(body.zero_click_queries, [row('Gnu!', 2, 0, 0)])
    assert.deepEqual(
      body.top_products.map((product: { clicks: number }) => product.clicks).sort(),
      second.ids[0] === one.ids[0] ? [1, 3] : [2, 2],
    )
    const elsewhere = await service.call('GET', `${ANALYTICS}?section=products`)
    assert.deepEqual([elsewhere.body.total.searches, elsewhere.body.top_products], [0, []])
    const site = await service.call('GET', `${ANALYTICS}?site_id=${UNKNOWN}`)
    assert.equal(site.body.total.click_through_rate, null)
    const short = await service.call('GET', `${ANALYTICS}?limit=1`)
    assert.deepEqual(short.body.top_queries, [row('Gnu!', 2, 0, 0)])
    const past = await service.call('GET', `${ANALYTICS}?to=2020-01-01T00:00:00Z`)
    assert.equal(past.body.total.searches, 0)
  })
})

onEachDatabase('clicks while the database is away', (kind) => {
  let service: TestService
  before(async () => {
    service = await TestService.start(kind)
  })
  after(() => service.stop())

  const rename = (from: string, to: string) =>
    sql`alter table ${sql.table(from)} rename to ${sql.table(to)}`.execute(service.database.queries)
  const send = (search: string, options: { key?: string | null; body?: unknown } = {}) =>
    service.call('POST', CLICKS, { body: clickOn(search, 'p'), ...options })

  test('are accepted, and faults in them refused as ever', async () => {
    await rename('search_clicks', 'search_clicks_away')
    assert.equal((await send('while the log is away')).status, 202)
    await rename('api_keys', 'api_keys_away')
    const during = await send('while nothing is there')
    assert.deepEqual([during.status, during.body], [202, { accepted: true }])
    assert.equal((await send('', { body: {} })).status, 422)
    assert.equal((await send('', { key: null })).status, 401)
    const { body } = await service.call('GET', '/metrics', { key: null })
    assert.match(body, /search_events_dropped_total\{kind="click",reason="unidentified"\} 1\n/)
  })

  test('are stored once the database is back, if the sender was known', async () => {
    await rename('api_keys_away', 'api_keys')
    await rename('search_clicks_away', 'search_clicks')
    const rows = await eventually(
      () => service.database.queries.selectFrom('search_clicks').select('search_log_id').execute(),
      (clicks) => clicks.length > 0,
    )
    assert.deepEqual(rows, [{ search_log_id: 'while the log is away' }])
  })

  test('do not hold the service up when it stops', async () => {
    const sibling = await service.sibling()
    await rename('search_clicks', 'search_clicks_away')
    await service.call('POST', CLICKS, { body: clickOn('lost', 'p') }, sibling.url)
    await sibling.stop()
  })
})
