import assert from 'node:assert/strict'
import { request as httpRequest } from 'node:http'
import { after, before, test } from 'node:test'
import { isDeepStrictEqual } from 'node:util'
import { sql } from 'kysely'
import { BulkEnded } from '../../src/platform/lines/bulk-result.ts'
import { compileCheck } from '../../src/platform/contract/check.ts'
import { ProductBulkFinished, ProductBulkResult } from '../../src/shop/products/contract.ts'
import { threadSlices } from '../../src/platform/threads/slices.ts'
import { onEachDatabase } from '../support/databases.ts'
import type { TestService } from '../support/service.ts'
import { joinService } from '../support/shared-service.ts'

const PRODUCTS = '/api/knowledge/products'

interface Line {
  line?: number
  status: string
  id?: string
  external_id?: string
  retired?: number
  would_retire?: number
  external_ids?: string[]
  cleared?: string[]
  dry_run?: boolean
  watermark?: string
  reason?: string
  blank?: number
  failed?: number
  detail?: { loc: string[]; type: string }[]
}

const checkResult = compileCheck(ProductBulkResult, ['body'])
const checkFinished = compileCheck(ProductBulkFinished, ['body'])
const checkEnded = compileCheck(BulkEnded, ['body'])
const CONTRACTS = {
  finished: [ProductBulkFinished, checkFinished],
  ended: [BulkEnded, checkEnded],
  other: [ProductBulkResult, checkResult],
} as const

/** Checks that a line is as the OpenAPI document declares it, and returns it. */
function declared(line: Line): Line {
  const kind = line.status === 'finished' || line.status === 'ended' ? line.status : 'other'
  const [{ properties }, check] = CONTRACTS[kind]
  assert.deepEqual(
    Object.keys(line).filter((key) => !(key in properties)),
    [],
  )
  assert.equal(check(line), null)
  return line
}

onEachDatabase('pushing products in bulk', (kind) => {
  let service: TestService
  let sites = 0
  before(async () => {
    service = await joinService(kind)
  })
  after(() => service.stop())

  const newSite = async () => {
    const slug = `bulk-${++sites}`
    await service.call('POST', '/api/knowledge/sites', { body: { slug, name: slug } })
    return slug
  }
  const push = async (site: string, lines: readonly (object | string)[], query = '') => {
    const body = lines.map((line) => `${typeof line === 'string' ? line : JSON.stringify(line)}\n`).join('')
    const headers = { 'content-type': 'application/x-ndjson' }
    const answer = await service.call('POST', `${PRODUCTS}/bulk?site_id=${site}${query}`, { body, headers })
    assert.equal(answer.status, 200, JSON.stringify(answer.body))
    // The test client parses a single line as JSON.
    const text = typeof answer.body === 'string' ? answer.body : JSON.stringify(answer.body ?? '')
    const answers = text
      .split('\n')
      .filter((line) => line !== '' && line !== '""')
      .map((line) => declared(JSON.parse(line)))
    const isNamed = answers.length > 0 && !query.includes('dry_run=true')
    assert.equal(typeof answers.at(-1)?.watermark, isNamed ? 'string' : 'undefined')
    return answers.map(({ watermark: _watermark, ...rest }) => rest)
  }
  const full = (site: string, lines: readonly (object | string)[], query = '') =>
    push(site, lines, `&sync=full${query}`)
  const product = (external_id: string, fields: object = {}) => ({
    title: `Product ${external_id}`,
    language: 'en',
    external_id,
    sync_hash: `hash of ${external_id}`,
    ...fields,
  })
  const listed = async (site: string, query = '') => {
    const { body } = await service.call('GET', `${PRODUCTS}?site_id=${site}${query}`)
    return body as { id: string; external_id: string; parent_product_id: string | null; source: string }[]
  }
  const names = async (site: string) => (await listed(site)).map((row) => row.external_id).sort()
  /** Opens a full sync whose lines the test sends one after the other. */
  const slowSync = (site: string, key = service.adminKey) => {
    const { readable, writable } = new TransformStream<Uint8Array, Uint8Array>()
    const writer = writable.getWriter()
    const headers = { authorization: `Bearer ${key}`, 'content-type': 'application/x-ndjson' }
    const url = `${service.service.url}${PRODUCTS}/bulk?site_id=${site}&sync=full`
    const answered = fetch(url, { method: 'POST', headers, body: readable, duplex: 'half' })
    return {
      answered,
      text: answered.then((answer) => answer.text()),
      send: (...lines: readonly object[]) =>
        void writer.write(Buffer.from(lines.map((line) => `${JSON.stringify(line)}\n`).join(''))),
      end: () => void writer.close(),
    }
  }
  const tenantRow = () =>
    service.database.queries
      .selectFrom('tenants')
      .select('watermark')
      .where('tenant_id', '=', service.tenantId)
      .executeTakeFirstOrThrow()
  const statuses = (lines: readonly Line[]) => lines.map(({ status }) => status)

  test('each line is answered with its result, and a bad one affects only itself', async () => {
    const site = await newSite()
    const lines = await push(site, [
      product('a', { price_current: 0.1 }),
      'not json',
      product('b', { title: '' }),
      '',
      `{"title":"C","language":"en","external_id":"c","price_current":19.90,"sku":"\\u0041"}`,
      product('d', { parent_external_id: 'd' }),
      '[]',
      { title: 'no id', language: 'en' },
    ])
    assert.deepEqual(
      lines.map(({ line, status, external_id }) => [line, status, external_id]),
      [
        [1, 'created', 'a'],
        [2, 'failed', undefined],
        [3, 'failed', 'b'],
        [5, 'created', 'c'],
        [6, 'failed', 'd'],
        [7, 'failed', undefined],
        [8, 'created', undefined],
      ],
    )
    assert.deepEqual(
      lines.flatMap(({ detail }) => detail?.map(({ loc, type }) => [loc.join('.'), type]) ?? []),
      [
        ['body', 'json_invalid'],
        ['body.title', 'string_too_short'],
        ['body.parent_external_id', 'value_error'],
        ['body', 'dict_type'],
      ],
    )
    const { body } = await service.call('GET', `${PRODUCTS}/${lines[3].id}`)
    assert.deepEqual([body.price_current, body.sku, body.source], ['19.90', 'A', 'feed'])
  })

  test('a site that does not exist, and a sync that is not known, are refused before anything is read', async () => {
    const headers = { 'content-type': 'application/x-ndjson' }
    for (const [query, place] of [
      ['site_id=nowhere', 'query.site_id'],
      ['site_id=default&sync=all', 'query.sync'],
      ['site_id=default&source=me', 'query.source'],
      ['', 'query.site_id'],
    ]) {
      const answer = await service.call('POST', `${PRODUCTS}/bulk?${query}`, { body: '{}', headers })
      assert.deepEqual([answer.status, answer.body.detail[0].loc.join('.')], [422, place])
    }
    assert.equal((await service.call('POST', `${PRODUCTS}/bulk?site_id=default`, { body: {} })).status, 415)
  })

  test('a product that comes twice is stored as in the later line, whatever the hashes', async () => {
    const site = await newSite()
    const [one, two] = [product('x', { title: 'One', sync_hash: '1' }), product('x', { title: 'Two', sync_hash: '2' })]
    assert.deepEqual(statuses(await push(site, [one, two])), ['created', 'updated'])
    assert.equal((await service.call('GET', `${PRODUCTS}?site_id=${site}`)).body[0].title, 'Two')
    assert.deepEqual(statuses(await push(site, [one, two])), ['updated', 'updated'])
    assert.equal((await service.call('GET', `${PRODUCTS}?site_id=${site}`)).body[0].title, 'Two')
    assert.deepEqual(statuses(await push(site, [two, two])), ['unchanged', 'unchanged'])
  })

  test('variants find their parents in the same push: earlier, later and in another batch', async () => {
    const site = await newSite()
    const fillers = Array.from({ length: 250 }, (_, i) => product(`filler-${i}`))
    await push(site, [
      product('early', { parent_external_id: 'parent' }),
      product('far', { parent_external_id: 'last' }),
      product('parent', { is_parent: true }),
      product('late', { parent_external_id: 'parent' }),
      ...fillers,
      product('last', { is_parent: true }),
    ])
    const rows = new Map((await listed(site)).map((row) => [row.external_id, row]))
    const parentOf = (id: string) => rows.get(id)!.parent_product_id
    assert.deepEqual([parentOf('early'), parentOf('late')], [rows.get('parent')!.id, rows.get('parent')!.id])
    assert.equal(parentOf('far'), rows.get('last')!.id)
  })

  test('a line that empties fields names them, also in a dry run', async () => {
    const site = await newSite()
    await push(site, [product('a', { brand: 'B', category: 'C' }), product('b')])
    const lines = [product('a', { sync_hash: null }), product('b', { sync_hash: null, brand: 'B' })]
    for (const query of ['&dry_run=true', '']) {
      const [a, b] = await push(site, lines, query)
      assert.deepEqual(
        [a.status, a.cleared, b.status, b.cleared],
        ['updated', ['brand', 'category'], 'updated', undefined],
      )
    }
    const properties = Object.fromEntries(Array.from({ length: 130 }, (_, i) => [`p${100 + i}`, i]))
    const [, many] = await push(site, [
      product('c', { sync_hash: null, properties: { ...properties, kept: 1 } }),
      product('c', { sync_hash: null, properties: { kept: 1 } }),
    ])
    assert.equal(many.cleared?.length, 100)
    assert.deepEqual([many.cleared?.at(0), many.cleared?.at(-1)], ['properties.p100', 'properties.p199'])
    const [twice, last] = await push(site, [
      product('b', { sync_hash: null, sku: 'S' }),
      product('b', { sync_hash: null }),
    ])
    assert.deepEqual([twice.cleared, last.cleared], [['brand'], ['sku']])
  })

  test('unchanged products are only marked as seen, and their fields are not checked', async () => {
    const site = await newSite()
    const lines = Array.from({ length: 450 }, (_, i) => product(`u-${i}`))
    assert.deepEqual(new Set(statuses(await push(site, lines))), new Set(['created']))
    const changed = lines.map((line, i) => (i % 100 === 7 ? { ...line, title: 'New', sync_hash: 'new' } : line))
    const answers = await push(site, changed)
    assert.deepEqual(
      answers.map(({ line }) => line),
      lines.map((_, i) => i + 1),
    )
    assert.deepEqual(
      answers.flatMap(({ status }, i) => (status === 'unchanged' ? [] : [[i, status]])),
      [7, 107, 207, 307, 407].map((i) => [i, 'updated']),
    )
    const watermark = async () => (await tenantRow()).watermark
    const before = await watermark()
    assert.deepEqual((await full(site, changed)).at(-1), { status: 'finished', retired: 0 })
    assert.equal(await watermark(), before)
  })

  if (kind.name === 'PostgreSQL')
    test('PostgreSQL stores an unchanged product’s mark on the same page, without work for indexes', async () => {
      const site = await newSite()
      const lines = Array.from({ length: 200 }, (_, i) => product(`r-${i}`, { description: 'word '.repeat(100) }))
      // A row that stays on its page is a heap-only tuple: no indexed column has changed.
      const pages = async () => {
        const { rows } = await sql`
        select external_id, (ctid::text::point)[0] as page from products
        where tenant_id = ${service.tenantId} and external_id like 'r-%' order by external_id`.execute(
          service.database.queries,
        )
        return rows
      }
      await full(site, lines)
      // Other readers of the database keep old versions, and therefore their room, until they are done.
      let hasStayed = false
      for (let i = 0; i < 5 && !hasStayed; i++) {
        const before = await pages()
        assert.equal(before.length, 200)
        assert.deepEqual(new Set(statuses((await full(site, lines)).slice(0, -1))), new Set(['unchanged']))
        hasStayed = isDeepStrictEqual(await pages(), before)
      }
      assert.ok(hasStayed)
    })

  test('a full sync retires the products it leaves out, and naming them again restores them', async () => {
    const site = await newSite()
    const [a, b, c] = [product('a'), product('b', { is_parent: true }), product('c', { parent_external_id: 'b' })]
    assert.deepEqual((await full(site, [a, b, c])).at(-1), { status: 'finished', retired: 0 })
    const before = await listed(site)
    const idOf = (name: string) => before.find((row) => row.external_id === name)!.id
    assert.deepEqual((await full(site, [a, c])).at(-1), { status: 'finished', retired: 1 })
    assert.deepEqual(await names(site), ['a', 'c'])
    assert.equal((await service.call('GET', `${PRODUCTS}/${idOf('b')}`)).status, 404)
    assert.equal((await service.call('DELETE', `${PRODUCTS}/${idOf('b')}`)).status, 404)
    assert.equal((await service.call('GET', `${PRODUCTS}/${idOf('c')}`)).body.parent_product_id, null)
    // Neither a sync under another name nor a push of other products restores it.
    await push(site, [a])
    assert.deepEqual(await names(site), ['a', 'c'])
    const back = await full(site, [a, b, c])
    assert.deepEqual(statuses(back), ['unchanged', 'updated', 'unchanged', 'finished'])
    assert.equal(back[1].id, idOf('b'))
    assert.equal((await service.call('GET', `${PRODUCTS}/${idOf('c')}`)).body.parent_product_id, idOf('b'))
  })

  test('a full sync affects only its own site and source', async () => {
    const [site, other] = [await newSite(), await newSite()]
    const upsert = (name: string) =>
      service.call('POST', `${PRODUCTS}?site_id=${site}`, { body: product(name, { sync_hash: null }) })
    await upsert('by-hand')
    await push(site, [product('imported')], '&source=import')
    await push(site, [product('fed')])
    await push(other, [product('elsewhere')])
    assert.deepEqual((await full(site, [product('new')])).at(-1)?.retired, 1)
    assert.deepEqual(await names(site), ['by-hand', 'imported', 'new'])
    assert.deepEqual(await names(other), ['elsewhere'])
    assert.deepEqual((await full(site, [product('kept')], '&source=import')).at(-1)?.retired, 1)
    assert.deepEqual(await names(site), ['by-hand', 'kept', 'new'])
  })

  test('a refused line keeps its product from being retired, and an empty feed retires nothing', async () => {
    const site = await newSite()
    await full(site, [product('a'), product('b')])
    const empty = (await full(site, [])).at(-1)
    assert.equal(empty?.retired, 0)
    assert.match(
      empty?.reason ?? '',
      /names no product, .* not retired\. Check whether it was cut, and send all of it$/,
    )
    assert.equal((await full(site, ['not json'])).at(-1)?.retired, 0)
    assert.equal((await full(site, [product('b', { title: '' })])).at(-1)?.retired, 1)
    assert.deepEqual(await names(site), ['b'])
  })

  test('a stream that breaks off retires nothing', async () => {
    const site = await newSite()
    await full(site, [product('a'), product('b')])
    const url = new URL(`${service.service.url}${PRODUCTS}/bulk?site_id=${site}&sync=full`)
    const headers = { authorization: `Bearer ${service.adminKey}`, 'content-type': 'application/x-ndjson' }
    const broken = Promise.withResolvers<void>()
    const request = httpRequest(url, { method: 'POST', headers })
    request.on('error', () => undefined)
    request.on('close', () => broken.resolve())
    const lines = Array.from({ length: 200 }, (_, i) => `${JSON.stringify(product(`broken-${i}`))}\n`).join('')
    request.write(lines)
    // The first batch is answered, so the sync is running.
    const [response] = (await new Promise((resolve) => request.on('response', (...args) => resolve(args)))) as [
      NodeJS.ReadableStream,
    ]
    response.on('error', () => undefined)
    await new Promise((resolve) => response.once('data', resolve))
    request.destroy()
    await broken.promise
    await service.call('GET', '/healthz')
    assert.equal((await names(site)).length, 202)
    assert.equal((await full(site, [product('a')], '&max_retired=201')).at(-1)?.retired, 201)
    assert.deepEqual(await names(site), ['a'])
  })

  const many = (count: number, from = 0) => Array.from({ length: count }, (_, i) => product(`p-${from + i}`))
  const reasonOf = (lines: readonly Line[]) => lines.at(-1)?.reason ?? ''

  test('a full sync with a line that cannot be read retires nothing, and says so', async () => {
    const unreadable = ['{"external_id":"b","ti', 'null', '{}', '{"external_id":7,"title":"T","language":"en"}']
    const tooLong = `{"external_id":"b","title":"${'x'.repeat(2_100_000)}","language":"en"}`
    for (const bad of [...unreadable, tooLong, '"\\ud800"']) {
      const site = await newSite()
      await full(site, [product('a'), product('b'), product('c')])
      const answer = await full(site, [product('a'), bad])
      const { reason, ...last } = answer[answer.length - 1]
      assert.deepEqual(last, { status: 'finished', retired: 0, would_retire: 2, external_ids: ['b', 'c'] })
      assert.match(reason!, /^Line 2 could not be read, .*Correct the feed and send it again$/)
      assert.deepEqual(await names(site), ['a', 'b', 'c'])
    }
  })

  test('a sender that reads no answer while it sends gets the first failed lines and the counts once all is read', async () => {
    const site = await newSite()
    const one = await push(site, [product('a'), 'no JSON', product('b', { title: '' })], '&answers=failed')
    assert.deepEqual(
      one.map(({ line, status }) => [line, status]),
      [
        [2, 'failed'],
        [3, 'failed'],
        [undefined, 'finished'],
      ],
    )
    const counts = (line: Line | undefined) => ({ ...line, reason: undefined })
    const none = { status: 'finished', retired: 0, reason: undefined }
    assert.deepEqual(counts(one.at(-1)), { ...none, created: 1, updated: 0, unchanged: 0, failed: 2 })
    const change = [product('a'), product('c')]
    const preview = await full(site, [product('c')], '&answers=failed&dry_run=true&max_retired=100%25')
    assert.deepEqual(preview, [
      { ...preview.at(-1), would_retire: 1, external_ids: ['a'], created: 1, unchanged: 0, failed: 0 },
    ])
    const [last] = await full(site, change, '&answers=failed')
    assert.deepEqual(counts(last), { ...none, created: 1, updated: 0, unchanged: 1, failed: 0 })
    const broken = await push(
      site,
      Array.from({ length: 1_200 }, () => ({})),
      '&answers=failed',
    )
    assert.deepEqual([broken.length, broken.at(-1)?.failed], [1_001, 1_200])
    const hopeless = await full(
      site,
      Array.from({ length: 10_500 }, () => 'x'),
      '&answers=failed',
    )
    assert.deepEqual([hopeless.length, hopeless.at(-1)?.status], [1_001, 'ended'])
  })

  test('a body that ends in the middle of a line retires nothing, whatever max_retired allows', async () => {
    const site = await newSite()
    await full(site, many(10))
    const whole = many(10)
      .map((each) => JSON.stringify(each))
      .join('\n')
    const headers = { 'content-type': 'application/x-ndjson' }
    const body = whole.slice(0, whole.length / 2 + 20)
    const path = `${PRODUCTS}/bulk?site_id=${site}&sync=full&max_retired=100%25`
    const answer = await service.call('POST', path, { body, headers })
    const lines = (answer.body as string).trim().split('\n')
    const last = JSON.parse(lines[lines.length - 1]) as Line
    assert.equal(last.retired, 0)
    assert.match(last.reason!, /could not be read/)
    assert.equal((await names(site)).length, 10)
  })

  test('half a feed that was cut at the end of a line retires nothing; a number or a percentage allows it', async () => {
    const site = await newSite()
    await full(site, many(60))
    const cut = await full(site, many(30))
    assert.deepEqual([cut.at(-1)?.retired, cut.at(-1)?.would_retire, cut.at(-1)?.external_ids?.length], [0, 30, 20])
    assert.match(reasonOf(cut), /30 of the 60 products .* may retire 6: .*with max_retired=30$/)
    assert.equal((await names(site)).length, 60)
    assert.equal((await full(site, many(30), '&max_retired=29')).at(-1)?.would_retire, 30)
    assert.equal((await full(site, many(30), '&max_retired=49%25')).at(-1)?.would_retire, 30)
    assert.deepEqual((await full(site, many(30), '&max_retired=50%25')).at(-1), { status: 'finished', retired: 30 })
    assert.deepEqual((await full(site, many(20), '&max_retired=10')).at(-1), { status: 'finished', retired: 10 })
    for (const bad of ['-1', '1.5', 'all', '101%25', '']) {
      const path = `${PRODUCTS}/bulk?site_id=${site}&sync=full&max_retired=${bad}`
      const headers = { 'content-type': 'application/x-ndjson' }
      const answer = await service.call('POST', path, { body: '{}', headers })
      assert.deepEqual([answer.status, answer.body.detail?.[0].loc], [422, ['query', 'max_retired']], bad)
    }
  })

  test('by default a tenth of a site’s stored products may be retired, or five products', async () => {
    const site = await newSite()
    await full(site, many(100))
    const renamed = await full(site, many(200, 1_000))
    assert.deepEqual([renamed.at(-1)?.retired, renamed.at(-1)?.would_retire], [0, 100])
    assert.match(reasonOf(renamed), /100 of the 100 products/)
    const other = await newSite()
    await full(other, many(100))
    assert.equal((await full(other, many(89))).at(-1)?.would_retire, 11)
    assert.equal((await full(other, many(90))).at(-1)?.retired, 10)
    const small = await newSite()
    await full(small, many(6))
    assert.equal((await full(small, many(1))).at(-1)?.retired, 5)
  })

  test('a dry run reports each line’s result and what would be retired, and writes nothing', async () => {
    const site = await newSite()
    await full(site, [product('a'), product('b'), product('c'), product('d')])
    const everything = async () => {
      const { queries } = service.database
      const rows = await queries
        .selectFrom('products')
        .selectAll()
        .where('tenant_id', '=', service.tenantId)
        .orderBy('id')
        .execute()
      const audit = await queries
        .selectFrom('audit_log')
        .select((eb) => eb.fn.countAll().as('n'))
        .where('tenant_id', '=', service.tenantId)
        .executeTakeFirst()
      return { rows, watermark: (await tenantRow()).watermark, audit }
    }
    const before = await everything()
    const lines = [
      product('a'),
      product('b', { title: 'New', sync_hash: 'n' }),
      product('c', { title: '' }),
      product('x'),
    ]
    const answer = await full(site, lines, '&dry_run=true')
    assert.deepEqual(statuses(answer), ['unchanged', 'updated', 'failed', 'created', 'finished'])
    assert.deepEqual([typeof answer[1].id, answer[3].id], ['string', undefined])
    assert.deepEqual(answer[4], {
      status: 'finished',
      retired: 0,
      would_retire: 1,
      external_ids: ['d'],
      dry_run: true,
    })
    const refused = await full(site, [product('a')], '&dry_run=true&max_retired=2')
    assert.deepEqual([refused[1].would_retire, refused[1].external_ids], [3, ['b', 'c', 'd']])
    assert.match(reasonOf(refused), /max_retired=3$/)
    assert.deepEqual(statuses(await push(site, lines, '&dry_run=true')), statuses(answer).slice(0, 4))
    assert.deepEqual(await everything(), before)
  })

  test('a stream of bad lines is ended with a line that says so, and retires nothing', async () => {
    const site = await newSite()
    await full(site, [product('a'), product('b')])
    const bad = Array.from({ length: 12_000 }, () => '{}')
    const lines = await full(site, [product('a'), ...bad, product('late')])
    const { reason, ...last } = lines[lines.length - 1]
    assert.deepEqual(last, { status: 'ended', line: 10_200, blank: 0, failed: 10_199 })
    assert.match(reason!, /^More than 10000 lines, .* Nothing after line 10200 was read$/)
    assert.equal(lines.length, 10_201)
    assert.deepEqual(await names(site), ['a', 'b'])
  })

  test('a feed with thousands of bad lines among as many good ones is read to its end', async () => {
    const site = await newSite()
    const pair = [product('a'), '{}']
    const lines = await push(site, [...Array.from({ length: 10_400 }, () => pair).flat(), product('late')])
    assert.deepEqual([lines.length, lines.at(-1)?.status, lines.at(-1)?.external_id], [20_801, 'created', 'late'])
  })

  test('a push gives other tenants a turn after each line, good or bad, and within its transaction', async (t) => {
    const site = await newSite()
    const pause = t.mock.method(threadSlices, 'pause')
    const holding = t.mock.method(threadSlices, 'pauseHolding')
    const turnsOf = async (lines: readonly (object | string)[]) => {
      pause.mock.resetCalls()
      await push(site, lines)
      return pause.mock.calls.filter((call) => call.arguments[0] === service.tenantId).length
    }
    assert.ok((await turnsOf(many(300))) >= 3 * 300)
    assert.ok(holding.mock.callCount() >= 300)
    assert.ok((await turnsOf(Array.from({ length: 300 }, () => '{}'))) >= 3 * 300)
  })

  test('short lines that replace long products are split into several transactions', async () => {
    const site = await newSite()
    const long = (text: string) =>
      Array.from({ length: 8 }, (_, i) => product(`l-${i}`, { description: text.repeat(1_000_000), sync_hash: text }))
    await push(
      site,
      long('x').map((line) => ({ ...line, description: 'x' })),
    )
    // Stored directly, because the service would analyse and embed the text.
    const description = 'x'.repeat(1_000_000)
    await service.database.queries
      .updateTable('products')
      .set({ description })
      .where('tenant_id', '=', service.tenantId)
      .where('external_id', 'like', 'l-%')
      .execute()
    const watermark = async () => (await tenantRow()).watermark
    const before = await watermark()
    const short = long('x').map((line) => ({ ...line, description: 'short', sync_hash: 'short' }))
    assert.deepEqual(new Set(statuses(await push(site, short))), new Set(['updated']))
    assert.equal((await watermark()) - before, 4)
  })

  test('a full sync does not retire what others write meanwhile', async () => {
    const site = await newSite()
    await full(site, [product('old')])
    const gate = Promise.withResolvers<void>()
    const named = Array.from({ length: 200 }, (_, i) => `a-${i}`)
    const body = new ReadableStream<Uint8Array>({
      async start(controller) {
        for (const name of named) controller.enqueue(Buffer.from(`${JSON.stringify(product(name))}\n`))
        await gate.promise
        controller.close()
      },
    })
    const headers = { authorization: `Bearer ${service.adminKey}`, 'content-type': 'application/x-ndjson' }
    const url = `${service.service.url}${PRODUCTS}/bulk?site_id=${site}&sync=full`
    // A full batch is answered before the stream ends, so the sync has begun by then.
    const running = await fetch(url, { method: 'POST', headers, body, duplex: 'half' })
    await push(site, [product('meanwhile')])
    gate.resolve()
    assert.match(await running.text(), /"retired":1\b/)
    assert.deepEqual(await names(site), [...named, 'meanwhile'].sort())
  })

  test('two simultaneous full syncs each spare the products of the other’s unreadable lines', async () => {
    const site = await newSite()
    await full(site, [product('a'), product('b')])
    const bad = (name: string) => product(name, { title: '' })
    // Two hundred lines are a batch, which is answered once it is stored.
    const batch = (name: string) => Array.from({ length: 199 }, (_, i) => bad(`${name}${i}`))
    const first = slowSync(site)
    first.send(product('b'), ...batch('x'))
    await first.answered
    const second = slowSync(site)
    second.send(product('b'), bad('a'), ...batch('y'))
    await second.answered
    first.send(bad('a'))
    first.end()
    assert.match(await first.text, /"status":"finished","retired":0/)
    second.end()
    assert.match(await second.text, /"status":"finished","retired":0/)
    assert.deepEqual(await names(site), ['a', 'b'])
    assert.equal((await full(site, [product('b')])).at(-1)?.retired, 1)
  })

  test('a key revoked during a full sync stores and retires no more', async () => {
    const site = await newSite()
    await full(site, [product('old')])
    const key = await service.key(['products:write'])
    const sync = slowSync(site, key)
    sync.send(...Array.from({ length: 200 }, (_, i) => product(`n${i}`)))
    await sync.answered
    await service.database.queries
      .updateTable('api_keys')
      .set({ revoked_at: 1 })
      .where('tenant_id', '=', service.tenantId)
      .where('name', '=', 'test')
      .execute()
    sync.send(product('late'))
    sync.end()
    const lines = (await sync.text).trim().split('\n')
    const last = declared(JSON.parse(lines[lines.length - 1]) as Line)
    assert.deepEqual([last.status, last.external_id, last.detail?.[0].type], ['failed', 'late', 'unauthorized'])
    const remaining = await names(site)
    assert.deepEqual([remaining.length, remaining.includes('old'), remaining.includes('late')], [201, true, false])
  })

  test('the audit log has one record for each change of a product in a push', async () => {
    const site = await newSite()
    const [line] = await full(site, [product('a')])
    await full(site, [product('a')])
    await full(site, [product('b')])
    await full(site, [product('a')])
    const rows = await service.database.queries
      .selectFrom('audit_log')
      .select(['action', 'resource_type'])
      .where('resource_id', '=', line.id!)
      .orderBy('id')
      .execute()
    assert.deepEqual(
      rows.map((row) => row.action),
      ['create', 'retire', 'update'],
    )
  })

  test('a site with only retired products can be deleted', async () => {
    const site = await newSite()
    await full(site, [product('a')])
    await full(site, [product('b')])
    const [{ id }] = await listed(site)
    await service.call('DELETE', `${PRODUCTS}/${id}`)
    assert.equal((await service.call('GET', '/api/knowledge/sites')).status, 200)
    const { body } = await service.call('GET', '/api/knowledge/sites')
    const siteId = body.find((row: { slug: string }) => row.slug === site).id
    assert.equal((await service.call('DELETE', `/api/knowledge/sites/${siteId}`)).status, 204)
  })
})
