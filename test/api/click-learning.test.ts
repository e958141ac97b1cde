import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { learnTenant } from '../../src/insights/learning/learn.ts'
import { changeTenant } from '../../src/identity/tenants/rules.ts'
import { knowledge } from '../cli/program.ts'
import { onAnyDatabase } from '../support/databases.ts'
import { TestService } from '../support/service.ts'
import { until } from '../support/patience.ts'
import { inTier } from '../support/tier.ts'

const PRODUCTS = '/api/knowledge/products'
const CLICKS = '/api/knowledge/search/clicks'
const DAY_MS = 86_400_000
/** Middle of today, and of a period in which a visitor keeps its hash. */
const TODAY = (Math.floor(Date.now() / (30 * DAY_MS)) * 30 + 15.5) * DAY_MS
/** Number of concurrent requests. */
const AT_ONCE = 10

interface Visit {
  readonly query: string
  /** The visitor who clicks. */
  readonly visitor?: string
  /** Address of the click; by default the test's own. */
  readonly address?: string
  readonly daysAgo?: number
  readonly product: string
  readonly key?: string
  readonly headers?: Readonly<Record<string, string>>
}

onAnyDatabase('scripts that search and click', (kind) => {
  let service: TestService
  let shop: string
  let clock = TODAY
  let events = 0

  before(async () => {
    service = await TestService.start(kind, { TRUST_PROXY: 'true' }, undefined, () => clock)
    await changeTenant(service.database, 'default', { settings: { clickLearning: 'true' } })
    shop = await service.key(['products:read', 'search:log'])
    for (let i = 0; i < 14; i++) {
      const body = { title: 'Lampe Leuchte Strahler Funzel Kerze Fackel', language: 'de', external_id: `p${i}` }
      const brand = i % 2 === 0 ? 'even' : 'odd'
      const answer = await service.call('POST', `${PRODUCTS}?site_id=default`, { body: { ...body, brand } })
      assert.equal(answer.status, 201)
    }
  })
  after(() => service.stop())

  const search = async (body: object, { key = shop, headers = {} }: Pick<Visit, 'key' | 'headers'> = {}) => {
    const answer = await service.call('POST', `${PRODUCTS}/search`, {
      key,
      headers,
      body: { mode: 'keyword', limit: 14, facets: false, ...body },
    })
    assert.equal(answer.status, 200, JSON.stringify(answer.body))
    events++
    return answer.body as { search_log_id: string; hits: { rank: number; product: { id: string } }[] }
  }
  const order = async (body: object): Promise<string[]> => (await search(body)).hits.map((hit) => hit.product.id)

  const click = async (search_log_id: string, { visitor, address, product, key = shop, headers = {} }: Visit) => {
    const body = { search_log_id, product_id: product, section: 'products', action: 'click', visitor_id: visitor }
    const from: Record<string, string> = address === undefined ? {} : { 'x-forwarded-for': address }
    const answer = await service.call('POST', CLICKS, { key, headers: { ...from, ...headers }, body })
    assert.equal(answer.status, 202)
    events++
  }

  /** Searches and clicks as these visits say. The visits of one day run at once. */
  const visit = async (visits: readonly Visit[], clicksEach = 1) => {
    for (const [daysAgo, ofDay] of Map.groupBy(visits, (of) => of.daysAgo ?? 0)) {
      clock = TODAY - daysAgo * DAY_MS
      const waiting = [...ofDay]
      const work = async () => {
        for (let of = waiting.pop(); of !== undefined; of = waiting.pop()) {
          const { query, visitor } = of
          const { search_log_id: id } = await search({ query, visitor_id: visitor }, of)
          for (let i = 0; i < clicksEach; i++) await click(id, of)
        }
      }
      await Promise.all(Array.from({ length: AT_ONCE }, work))
    }
    clock = TODAY
  }

  /** Waits until all that was sent is written. */
  const written = async () => {
    const count = async (table: 'search_log' | 'search_clicks') =>
      (await service.database.queries.selectFrom(table).select('id').execute()).length
    await until(
      async () => (await count('search_log')) + (await count('search_clicks')) >= events,
      'the log is written behind',
    )
  }
  const learn = async () => {
    await written()
    await learnTenant(service.database, 'default', { now: TODAY + 60_000 })
  }

  const many = (count: number, of: (i: number) => Visit): Visit[] => Array.from({ length: count }, (_, i) => of(i))

  test('a key without a user that searches and clicks over and over moves no product, whatever X-Client-Id it sends', async () => {
    const before = await order({ query: 'Lampe' })
    await visit(
      many(inTier({ gate: 100, all: 500 }), (i) => ({
        query: 'Lampe',
        product: before[7],
        daysAgo: i % 3,
        headers: { 'x-client-id': i % 2 === 0 ? '' : `client ${i}` },
      })),
    )
    await learn()
    assert.deepEqual(await order({ query: 'Lampe' }), before)
  })

  test('a new visitor id for each click over three days moves no product, from one address or from all addresses of a subscriber', async () => {
    const before = await order({ query: 'Leuchte' })
    const script = (from: string, address: (i: number) => string | undefined) =>
      many(90, (i) => ({
        query: 'Leuchte',
        product: before[7],
        daysAgo: i % 3,
        visitor: `${from} ${i}`,
        address: address(i),
      }))
    await visit(script('of one address', () => '198.51.100.9'))
    await visit(script('of many addresses', (i) => `2001:db8:77:${i.toString(16)}::1`))
    await learn()
    assert.deepEqual(await order({ query: 'Leuchte' }), before)
  })

  test('clicks from a shop whose visitors all share its address count over a week', async () => {
    const before = await order({ query: 'Fackel' })
    const shopper = (i: number): Visit => ({
      query: 'Fackel',
      product: before[7],
      visitor: `shopper ${i}`,
      daysAgo: i % 7,
    })
    await visit(many(28, shopper))
    await learn()
    assert.ok((await order({ query: 'Fackel' })).indexOf(before[7]) < 7)
  })

  test('nineteen visitors on three days move nothing; with the twentieth a product rises, by three places at most', async () => {
    const before = await order({ query: 'Strahler' })
    const visitor = (i: number): Visit => ({
      query: i % 2 === 0 ? 'Strahler' : ' STRAHLERN! ',
      product: before[7],
      daysAgo: i % 3,
      visitor: `person ${i}`,
      address: `203.0.${i}.1`,
    })
    await visit(many(19, visitor))
    await learn()
    assert.deepEqual(await order({ query: 'Strahler' }), before)
    await visit([visitor(19)])
    await learn()
    const after = await order({ query: 'Strahler' })
    assert.ok(after.indexOf(before[7]) < 7)
    for (const [place, id] of after.entries()) assert.ok(Math.abs(place - before.indexOf(id)) <= 3)
    const rows = await service.database.queries.selectFrom('search_clicks').selectAll().execute()
    assert.ok(!JSON.stringify(rows).includes('person'), 'stored in clear')
    assert.ok(!JSON.stringify(rows).includes('203.0.'), 'stored in clear')
  })

  test('the status of learning tells what a query has learnt and still lacks, and learning can be started', async () => {
    const before = await order({ query: 'Lampe Kerze' })
    const visitor = (i: number): Visit => ({
      query: 'Lampe Kerze',
      product: before[7],
      daysAgo: i % 3,
      visitor: `reader ${i}`,
      address: `198.18.${i}.1`,
    })
    const queries = async (more = '') =>
      (await service.call('GET', `/api/knowledge/learning/queries?limit=100${more}`)).body
    const isThere = ({ query_key: each }: { query_key: string }) => each === early.query_key
    const learnt = async (query: string, key = service.adminKey) =>
      (await service.call('GET', `/api/knowledge/learning?query=${encodeURIComponent(query)}`, { key })).body
    const start = async () => {
      await written()
      const { status, body } = await service.call('POST', '/api/knowledge/learning')
      assert.equal(status, 200, JSON.stringify(body))
      return body
    }
    await visit(many(19, visitor))
    await start()
    const { learnt_at, ...early } = await learnt('LAMPEN Kerze')
    assert.deepEqual(early, {
      query_key: early.query_key,
      is_learning: true,
      visitors: 19,
      visitors_needed: 20,
      days: 3,
      days_needed: 3,
      products: [],
    })
    assert.deepEqual(await order({ query: 'Lampe Kerze' }), before)
    assert.equal((await queries()).some(isThere), false)
    await visit([visitor(19)])
    const done = await start()
    assert.ok(done.queries >= 1 && done.learnt_at !== learnt_at)
    const late = await learnt('Lampe Kerze')
    assert.deepEqual([late.visitors, late.learnt_at], [20, done.learnt_at])
    const [first] = late.products
    assert.deepEqual([first.product_id, first.visitors_clicked, first.visitors_shown], [before[7], 20, 20])
    assert.ok(first.boost > 0 && first.clicks > first.expected_clicks)
    assert.ok(late.products.slice(1).every((of: { boost: number }) => of.boost < 0))
    assert.ok((await order({ query: 'Lampe Kerze' })).indexOf(before[7]) < 7)
    const listed = await queries()
    assert.deepEqual(listed.find(isThere), {
      query: 'Lampe Kerze',
      query_key: early.query_key,
      rising: 1,
      falling: late.products.length - 1,
      strongest_boost: Math.abs(first.boost),
      learnt_at: done.learnt_at,
    })
    const strengths = listed.map(({ strongest_boost: boost }: { strongest_boost: number }) => boost)
    assert.deepEqual(
      strengths,
      strengths.toSorted((a: number, b: number) => b - a),
    )
    const { stdout } = await knowledge(service.place, ['learn'])
    assert.match(stdout, /^default: [1-9]\d* quer(?:y has|ies have) boosts$/m)
    assert.equal((await learnt('Lampe Kerze')).products.length, late.products.length)
    const audited = await service.database.queries
      .selectFrom('audit_log')
      .select('action')
      .where('resource_type', '=', 'click_boosts')
      .execute()
    assert.equal(audited.length, 2)
    const [site] = (await service.call('GET', '/api/knowledge/sites')).body
    const path = `/api/knowledge/learning?query=Lampe&site_id=`
    const ofSite = await service.call('GET', path + site.id.toUpperCase())
    assert.deepEqual([ofSite.status, ofSite.body.products], [200, []])
    assert.deepEqual((await service.call('GET', path + site.slug)).body, ofSite.body)
    assert.deepEqual((await service.call('GET', `${path}nowhere`)).body.detail[0].loc, ['query', 'site_id'])
    assert.deepEqual(await queries(`&site_id=${site.id}`), [])
    const unknown = await service.call('GET', `${path}00000000-0000-7000-8000-000000000000`)
    assert.deepEqual([unknown.status, unknown.body.detail[0].loc], [422, ['query', 'site_id']])
    const nowhere = await queries('&site_id=00000000-0000-7000-8000-000000000000')
    assert.deepEqual(nowhere.detail[0].loc, ['query', 'site_id'])
    await service.call('PATCH', '/api/knowledge/tenant-settings', { body: { click_learning: false } })
    assert.deepEqual(await queries(), [], 'what is off moves nothing')
    await service.call('PATCH', '/api/knowledge/tenant-settings', { body: { click_learning: true } })
  })

  test('one visitor or user that clicks over and over on three days from many addresses moves no product', async () => {
    const before = await order({ query: 'Funzel' })
    const eager = (i: number) => ({ query: 'Funzel', daysAgo: i % 3, address: `203.0.113.${i}` })
    const visitor = 'one and the same'
    await visit(
      many(20, (i) => ({ ...eager(i), visitor, product: before[7] })),
      inTier({ gate: 5, all: 50 }),
    )
    const { key } = await service.user({ email: 'eager@example.com', role: 'reader' })
    await visit(many(60, (i) => ({ ...eager(i), visitor: `claimed ${i}`, key, product: before[9] })))
    await learn()
    assert.deepEqual(await order({ query: 'Funzel' }), before)
  })

  test('however many products are clicked, none moves by more than three places, under a filter and on every page', async () => {
    const before = await order({ query: 'Kerze' })
    const odd = await order({ query: 'Kerze', brand: 'odd' })
    const liked = [13, 12, 11, 9, 8, 6, 5].map((place) => before[place])
    await visit(
      many(22 * liked.length, (i) => ({
        query: 'Kerze',
        product: liked[i % liked.length],
        daysAgo: i % 3,
        visitor: `fan ${i}`,
        address: `203.${i % 250}.${Math.floor(i / 250)}.1`,
      })),
    )
    await learn()
    const bounded = (now: readonly string[], was: readonly string[]) => {
      assert.deepEqual(now.toSorted(), was.toSorted())
      for (const [place, id] of now.entries()) assert.ok(Math.abs(place - was.indexOf(id)) <= 3, now.join(' '))
    }
    const after = await order({ query: 'Kerze' })
    assert.notDeepEqual(after, before)
    bounded(after, before)
    bounded(await order({ query: 'Kerze', brand: 'odd' }), odd)
    const pages: string[] = []
    for (let offset = 0; offset < 14; offset += 4) pages.push(...(await order({ query: 'Kerze', offset, limit: 4 })))
    assert.deepEqual(pages, after)
  })

  test('every search and click stores the same hash of a visitor, in every process, and nothing in clear', async () => {
    const visitor_id = 'Vera Visible'
    const logId = async (path: string, options: { base?: string; key?: string } = {}) => {
      const { base, key = reader } = options
      const answer = await service.call('POST', path, { key, body: { query: 'Fackel', visitor_id } }, base)
      assert.equal(answer.status, 200)
      events += path.endsWith('knowledge/search') ? 2 : 1
      return answer.headers.get('x-search-log-id')!
    }
    const reader = await service.key(['products:read', 'knowledge:read', 'search:log'])
    const { key: ofUser } = await service.user({ email: 'vera@example.com' })
    const sibling = await service.sibling()
    const told = [
      await logId(`${PRODUCTS}/search`),
      await logId('/api/knowledge/knowledge-entries/search'),
      await logId('/api/knowledge/search'),
      await logId(`${PRODUCTS}/search`, { base: sibling.url }),
    ]
    const userLogId = await logId(`${PRODUCTS}/search`, { key: ofUser })
    await sibling.stop()
    await click(told[0], { query: 'Fackel', product: 'p', visitor: visitor_id, address: '192.0.2.44' })
    await learn()
    const { queries } = service.database
    const searches = await queries
      .selectFrom('search_log')
      .selectAll()
      .where('id', 'in', [...told, userLogId])
      .execute()
    const clicks = await queries.selectFrom('search_clicks').selectAll().where('search_log_id', '=', told[0]).execute()
    const hashes = new Set([...searches.filter(({ id }) => id !== userLogId), ...clicks].map((row) => row.visitor))
    assert.deepEqual([searches.length, clicks.length, hashes.size], [6, 1, 1])
    assert.match([...hashes].join(), /^\d+\.[\w-]{22}$/)
    assert.equal(searches.find(({ id }) => id === userLogId)!.visitor, null)
    const text = JSON.stringify([searches, clicks, await queries.selectFrom('visitor_salts').selectAll().execute()])
    for (const clear of ['Vera', '192.0.2']) assert.ok(!text.includes(clear), clear)
  })

  test('a tenant that stores no query texts stores no visitors either', async () => {
    await changeTenant(service.database, 'default', { settings: { searchLogQueries: 'none' } })
    const { search_log_id: id } = await search({ query: 'Fackel', visitor_id: 'somebody' })
    await click(id, { query: 'Fackel', product: 'p', visitor: 'somebody' })
    await learn()
    const { queries } = service.database
    const searches = await queries.selectFrom('search_log').select('visitor').where('id', '=', id).execute()
    const clicks = await queries.selectFrom('search_clicks').selectAll().where('search_log_id', '=', id).execute()
    assert.deepEqual(searches, [{ visitor: null }])
    assert.deepEqual([clicks.length, clicks[0].visitor, clicks[0].network], [1, null, null])
    await changeTenant(service.database, 'default', { settings: { searchLogQueries: 'keep' } })
  })

  test('a visitor id does not change a search’s answer, and an empty or overlong one is refused', async () => {
    const shape = (answer: object) => Object.keys(answer)
    assert.deepEqual(
      shape(await search({ query: 'Fackel', visitor_id: 'x'.repeat(200) })),
      shape(await search({ query: 'Fackel' })),
    )
    for (const path of [
      `${PRODUCTS}/search`,
      '/api/knowledge/search',
      '/api/knowledge/knowledge-entries/search',
      CLICKS,
    ]) {
      for (const visitor_id of ['', 'x'.repeat(201), 7]) {
        const body = { query: 'x', search_log_id: 'x', action: 'x', product_id: 'x', section: 'x', visitor_id }
        const answer = await service.call('POST', path, { body })
        assert.equal(answer.status, 422)
        assert.deepEqual(answer.body.detail[0].loc, ['body', 'visitor_id'])
      }
    }
  })
})
