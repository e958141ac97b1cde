import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { type ClientOptions, createClient, KnowledgeError } from '../../client/src/index.ts'
import { DATABASES } from '../support/databases.ts'
import type { TestService } from '../support/service.ts'
import { joinService } from '../support/shared-service.ts'
import { found, until } from '../support/patience.ts'

/** Returns a `fetch` that gives these failures first and then calls the service, and the number of its calls. */
function failingFirst(...failures: readonly (() => Response)[]): { fetch: typeof fetch; calls: () => number } {
  let calls = 0
  return {
    fetch: (input, init) => {
      const failure = failures[calls++]
      return failure === undefined ? fetch(input, init) : new Promise((resolve) => resolve(failure()))
    },
    calls: () => calls,
  }
}
const busy = (retryAfter: string) => () => new Response('{}', { status: 503, headers: { 'retry-after': retryAfter } })
const unreachable = () => {
  throw new TypeError('fetch failed')
}

describe('the client', () => {
  let service: TestService
  let page: string
  before(async () => {
    // One database is enough: the client does not know which one there is.
    service = await joinService(DATABASES[0])
    const category_id = await service.category()
    for (const [i, title] of ['Warranty', 'Returns', 'Delivery'].entries()) {
      const entry = {
        title,
        content: `All about ${title.toLowerCase()}`,
        category_id,
        visibility: 'public',
        language: 'en',
      }
      assert.equal((await service.call('POST', '/api/knowledge/knowledge-entries', { body: entry })).status, 201)
      const product = { title: `Lamp ${title}`, language: 'en', external_id: `lamp-${i}`, brand: 'Lumen' }
      const path = '/api/knowledge/products?site_id=default'
      assert.equal((await service.call('POST', path, { body: product })).status, 201)
    }
    const body = { name: 'page', origins: ['https://shop.example'], sections: ['products', 'knowledge'] }
    page = (await service.call('POST', '/api/knowledge/api-keys/publishable', { body })).body.key
  })
  after(() => service.stop())

  const clientWith = (options: Partial<ClientOptions> = {}) =>
    createClient({ url: service.service.url, key: page, ...options })

  test('a publishable key searches products, entries and both, and suggests', async () => {
    const client = clientWith()
    const { hits, total, facets } = await client.searchProducts({ query: 'lamp', limit: 2 })
    assert.deepEqual([hits.length, total, facets?.brand], [2, 3, [{ value: 'Lumen', count: 3 }]])
    const entries = await client.searchEntries({ query: 'warranty', mode: 'keyword' })
    assert.deepEqual(
      entries.hits.map(({ entry }) => entry.title),
      ['Warranty'],
    )
    assert.match(entries.searchId, /^[0-9a-f-]{36}$/)
    const both = await client.search({ query: 'warranty', limit: 1 })
    assert.deepEqual(
      both.sections.map(({ section, hits }) => [section, hits.length]),
      [
        ['products', 1],
        ['knowledge', 1],
      ],
    )
    const { completions, products } = await client.suggest('lam', { site: 'default', limit: 2 })
    assert.deepEqual([completions[0], products.length], ['Lamp', 2])
  })

  test('entries are suggested beside products or alone, also to a key that may read knowledge only', async () => {
    const both = await clientWith().suggest('war', { sections: ['products', 'knowledge'] })
    assert.deepEqual(
      [both.products.map(({ title }) => title), both.entries?.map(({ title }) => title)],
      [['Lamp Warranty'], ['Warranty']],
    )
    const key = await service.key(['knowledge:read', 'visibility:public'])
    const { entries, products } = await clientWith({ key }).suggest('war', { sections: ['knowledge'] })
    assert.deepEqual([entries?.map(({ title }) => title), products], [['Warranty'], []])
  })

  test('a search that finds nothing because of misspelt words says what was meant', async () => {
    const client = clientWith()
    const search = { mode: 'keyword', min_relevance: 0.2 } as const
    const misspelt = await client.searchEntries({ query: 'warrnaty', ...search })
    assert.deepEqual([misspelt.hits, misspelt.didYouMean], [[], 'Warranty'])
    assert.equal((await client.searchEntries({ query: 'warranty', ...search })).didYouMean, null)
  })

  test('a key of a server searches several times in one call, each time for the visitor of the client', async () => {
    const key = await service.key(['knowledge:read', 'products:read', 'visibility:public', 'search:log'])
    const answers = await clientWith({ key, visitorId: 'many' }).multiSearch([
      { query: 'warranty', sections: ['knowledge'], mode: 'keyword' },
      { query: 'lamp', sections: ['products'], limit: 2 },
    ])
    assert.deepEqual(
      answers.map(({ sections }) => sections.map(({ section, hits }) => [section, hits.length])),
      [[['knowledge', 1]], [['products', 2]]],
    )
    const ids = answers.map((answer) => answer.search_log_id)
    const find = () =>
      service.database.queries.selectFrom('search_log').select('visitor').where('id', 'in', ids).execute()
    await until(async () => (await find()).length === 2, 'both searches are logged')
    const logged = await find()
    assert.ok(logged[0].visitor !== null && logged[0].visitor === logged[1].visitor)
  })

  test('a search waits for the write that it names, and says what it lacks', async () => {
    const entry = { title: 'Vouchers', content: 'All about vouchers', visibility: 'public', language: 'en' }
    const body = { ...entry, category_id: await service.category() }
    const { headers, body: written } = await service.call('POST', '/api/knowledge/knowledge-entries', { body })
    const call = { minWatermark: headers.get('x-watermark')!, waitSeconds: 30, partial: true }
    const sent: Headers[] = []
    const client = clientWith({
      fetch: async (input, init) => {
        sent.push(new Headers(init?.headers))
        const answer = await fetch(input, init)
        const behind = {
          ...Object.fromEntries(answer.headers),
          'x-search-behind': sent.length % 2 === 0 ? 'true' : '7',
        }
        return new Response(await answer.text(), { status: answer.status, headers: behind })
      },
    })
    const search = { query: 'vouchers', mode: 'keyword' } as const
    const entries = await client.searchEntries(search, call)
    assert.deepEqual([entries.hits.length, entries.behind], [1, 7])
    assert.deepEqual(
      [(await client.searchProducts(search, call)).behind, (await client.search(search)).behind],
      [true, 7],
    )
    assert.deepEqual(
      sent.map((one) => [one.get('x-min-watermark'), one.get('prefer')]),
      [
        [call.minWatermark, 'wait=30, partial'],
        [call.minWatermark, 'wait=30, partial'],
        [null, null],
      ],
    )
    assert.equal('behind' in (await clientWith().searchEntries(search, call)), false)
    await assert.rejects(clientWith().search(search, { minWatermark: 'x' }), { status: 422 })
    await service.call('DELETE', `/api/knowledge/knowledge-entries/${written.id}`)
  })

  test('a click is stored with the visitor of its search', async () => {
    const client = clientWith({ visitorId: 'somebody' })
    const { search_log_id: searchId, hits } = await client.searchProducts({ query: 'lamp' })
    client.click({ searchId, id: hits[0].product.id, section: 'products', rank: 1 })
    const { queries } = service.database
    const clicks = queries.selectFrom('search_clicks').selectAll().where('search_log_id', '=', searchId)
    const click = await found(() => clicks.executeTakeFirst(), 'the click is stored')
    const { action, product_id, section, rank, visitor } = click
    assert.deepEqual([action, product_id, section, rank], ['click', hits[0].product.id, 'products', 1])
    const searched = await service.database.queries
      .selectFrom('search_log')
      .select('visitor')
      .where('id', '=', searchId)
      .executeTakeFirstOrThrow()
    assert.ok(visitor !== null && visitor === searched.visitor)
  })

  test('a click that cannot be sent fails nothing', async () => {
    const { fetch, calls } = failingFirst(unreachable)
    clientWith({ fetch }).click({ searchId: 'x', id: 'y', section: 'products' })
    await new Promise(setImmediate)
    assert.equal(calls(), 1, 'and is not sent again, since it may have arrived')
  })

  test('a key of a server reads entries and products, page after page', async () => {
    const client = clientWith({ key: service.adminKey })
    const titles: string[] = []
    for await (const { title } of client.entries.list({ limit: 1, language: 'en' })) titles.push(title)
    assert.deepEqual(titles.sort(), ['Delivery', 'Returns', 'Warranty'])
    const products: string[] = []
    for await (const { title } of client.products.list({ site_id: 'default', limit: 2 })) products.push(title)
    assert.equal(products.length, 3)
    const { hits } = await client.searchEntries({ query: 'returns', mode: 'keyword' })
    assert.equal((await client.entries.get(hits[0].entry.id)).title, 'Returns')
    const [{ product }] = (await client.searchProducts({ query: 'lamp delivery' })).hits
    const whole = await client.products.get(product.id)
    assert.deepEqual({ ...whole, ...product }, whole)
  })

  test('a refusal says what is wrong, and is not tried again', async () => {
    const { fetch, calls } = failingFirst()
    const client = clientWith({ fetch })
    await assert.rejects(client.searchProducts({ query: 'lamp', limit: 1_000 }), (error: KnowledgeError) => {
      assert.ok(error instanceof KnowledgeError)
      assert.deepEqual([error.status, error.detail[0].loc, error.retryAfterMs], [422, ['body', 'limit'], null])
      assert.match(error.message, /^body\.limit: /)
      return true
    })
    await assert.rejects(client.entries.get('0190f6d2-7d3c-7e3b-8a51-3f1c5a0e9b11'), { status: 403 })
    assert.equal(calls(), 2)
  })

  test('a busy service or a broken line is tried again, as often as was said', async () => {
    const once = failingFirst(busy('0'), unreachable)
    assert.equal((await clientWith({ fetch: once.fetch }).searchProducts({ query: 'lamp' })).total, 3)
    assert.equal(once.calls(), 3)
    const never = failingFirst(busy('0'), busy('0'))
    await assert.rejects(clientWith({ fetch: never.fetch, retries: 1 }).searchProducts({}), { status: 503 })
    assert.equal(never.calls(), 2)
    const gone = failingFirst(unreachable)
    await assert.rejects(clientWith({ fetch: gone.fetch }).suggest('lam'), TypeError)
    assert.equal(gone.calls(), 1, 'the next keystroke asks again')
  })

  test('a search is not tried again when the service asks for a long wait', async () => {
    const { fetch, calls } = failingFirst(busy('3600'))
    await assert.rejects(clientWith({ fetch }).searchProducts({}), { status: 503, retryAfterMs: 3_600_000 })
    assert.equal(calls(), 1)
  })

  test('a caller who gives up ends the request and the wait for another try', async () => {
    const { fetch, calls } = failingFirst(busy('9'))
    const giveUp = new AbortController()
    const answer = clientWith({ fetch }).searchProducts({}, { signal: giveUp.signal })
    await new Promise(setImmediate)
    giveUp.abort(new Error('enough'))
    await assert.rejects(answer, /enough/)
    await assert.rejects(clientWith().suggest('lam', { signal: giveUp.signal }), /enough/)
    assert.equal(calls(), 1)
  })

  test('the committed build is the same client', async () => {
    // Named so that the type checker does not look for it where it was not built yet.
    const built = new URL('../../client/dist/index.js', import.meta.url).href
    const { createClient: createFromBuild } = (await import(built)) as { createClient: typeof createClient }
    const { total } = await createFromBuild({ url: service.service.url, key: page }).searchProducts({ query: 'lamp' })
    assert.equal(total, 3)
  })
})
