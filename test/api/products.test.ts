import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import * as fc from 'fast-check'
import { auditedActions } from '../support/audited.ts'
import { onEachDatabase } from '../support/databases.ts'
import type { TestService } from '../support/service.ts'
import { until } from '../support/patience.ts'
import { joinService } from '../support/shared-service.ts'
import { inTier } from '../support/tier.ts'

const PRODUCTS = '/api/knowledge/products'
const SITES = '/api/knowledge/sites'
const UNKNOWN = '00000000-0000-7000-8000-000000000000'
/** `npm run test:upserts` asks for 10,000. */
const UPSERTS = Number(process.env.UPSERTS ?? inTier({ gate: 60, all: 200 }))

onEachDatabase('products', (kind) => {
  let service: TestService
  let siteId: string
  let names = 0
  before(async () => {
    service = await joinService(kind)
    siteId = (await service.call('GET', SITES)).body[0].id
  })
  after(() => service.stop())

  const name = () => `p-${++names}`
  const put = (fields: object | string, site = 'default', key = service.adminKey, base = service.service.url) => {
    const body = typeof fields === 'string' ? fields : { title: 'A product', language: 'en', ...fields }
    return service.call('POST', `${PRODUCTS}?site_id=${site}`, { key, body }, base)
  }
  const stored = async (fields: object = {}, site?: string) => {
    const answer = await put(fields, site)
    assert.ok(answer.status === 200 || answer.status === 201, JSON.stringify(answer.body))
    return answer.body
  }
  const read = async (id: string) => (await service.call('GET', `${PRODUCTS}/${id}`)).body
  const faults = (answer: { body: { detail: { loc: string[]; type: string }[] } }) =>
    answer.body.detail.map(({ loc, type }) => [loc.join('.'), type])
  const newSite = async (key = service.adminKey) => {
    const slug = `s-${++names}`
    await service.call('POST', SITES, { key, body: { slug, name: slug } })
    return slug
  }
  const all = async (query: string) => {
    const rows: { id: string; external_id: string }[] = []
    let next: string | null = `${PRODUCTS}?${query}`
    while (next !== null) {
      const answer = await service.call('GET', next)
      assert.equal(answer.status, 200, JSON.stringify(answer.body))
      rows.push(...answer.body)
      const link = answer.headers.get('link')
      next = link === null ? null : /<[^>]*?(\/api[^>]*)>/.exec(link)![1]
    }
    return rows
  }

  test('a new product has the documented defaults and says where it is', async () => {
    const answer = await put({ title: 'Only this', language: 'de' })
    assert.equal(answer.status, 201)
    assert.equal(answer.headers.get('location'), `${PRODUCTS}/${answer.body.id}`)
    assert.equal(answer.headers.get('x-sync'), null)
    const { id, created_at, updated_at, last_synced_at, ...rest } = answer.body
    assert.deepEqual(rest, {
      tenant_id: service.tenantId,
      site_id: siteId,
      external_id: null,
      title: 'Only this',
      description: null,
      short_description: null,
      sku: null,
      gtin: null,
      brand: null,
      category: null,
      attributes: {},
      properties: {},
      price_current: null,
      price_msrp: null,
      price_special: null,
      price_special_from: null,
      price_special_until: null,
      price_effective: null,
      price_on_request: false,
      currency: 'EUR',
      image_url: null,
      additional_images: [],
      product_url: null,
      availability: null,
      rating_average: null,
      rating_count: 0,
      language: 'de',
      translation_group_id: null,
      parent_product_id: null,
      is_variant: false,
      is_parent: false,
      source: 'api',
      version: 1,
      sync_hash: null,
      search_keywords: [],
      has_similarity_anchor: false,
      parent_external_id: null,
      similarity_text: null,
      embedding_text_description: null,
      embedding_text_properties: null,
      embedding_text_attributes: null,
    })
    assert.match(id, /^[0-9a-f]{8}-[0-9a-f]{4}-7/)
    assert.deepEqual([updated_at, last_synced_at], [created_at, created_at])
    assert.deepEqual(await read(id), answer.body)
  })

  test('an answer about one product has everything that was sent, a list has no texts that only search reads', async () => {
    const fields = {
      external_id: name(),
      title: 'T',
      description: 'D',
      short_description: 'S',
      sku: 'SKU',
      gtin: '4006381333931',
      gtins: ['036000291452'],
      brand: 'B',
      category: 'C > D',
      attributes: { color: 'red', sizes: [1, { deep: null }] },
      properties: { weight: 1.5 },
      price_on_request: true,
      currency: 'USD',
      image_url: 'https://img.example/1.png',
      additional_images: ['https://img.example/2.png'],
      product_url: 'https://shop.example/p',
      availability: 'InStock',
      rating_count: 7,
      language: 'en-GB',
      is_variant: true,
      is_parent: true,
      search_keywords: ['b', 'a', 'b'],
      sync_hash: 'h',
    }
    const texts = {
      parent_external_id: 'parent',
      similarity_text: 'near',
      embedding_text_description: 'one',
      embedding_text_properties: 'two',
      embedding_text_attributes: 'three',
    }
    const body = await stored({ ...fields, ...texts, unknown: 'ignored' })
    assert.deepEqual({ ...body, ...fields, ...texts, has_similarity_anchor: true }, body)
    assert.equal(body.unknown, undefined)
    assert.deepEqual(await read(body.id), body)
    const [listed] = (await service.call('GET', `${PRODUCTS}?external_id=${fields.external_id}`)).body
    for (const key of Object.keys(texts)) assert.equal(listed[key], undefined)
  })

  test('an upsert replaces every field; what is absent has its default again', async () => {
    const external_id = name()
    const first = await stored({
      external_id,
      brand: 'B',
      price_current: 5,
      attributes: { a: 1 },
      similarity_text: 'x',
    })
    const answer = await put({ external_id, title: 'Second', language: 'de' })
    assert.equal(answer.status, 200)
    assert.equal(answer.headers.get('location'), null)
    const { id, title, brand, price_current, attributes, has_similarity_anchor, created_at, updated_at } = answer.body
    assert.deepEqual(
      [id, title, brand, price_current, attributes, has_similarity_anchor, created_at],
      [first.id, 'Second', null, null, {}, false, first.created_at],
    )
    assert.ok(updated_at >= first.updated_at)
    assert.notEqual((await stored()).id, (await stored()).id)
    const elsewhere = await put({ external_id }, await newSite())
    assert.deepEqual([elsewhere.status, elsewhere.body.id === id], [201, false])
  })

  test('an upsert names the fields that it empties', async () => {
    const external_id = name()
    await stored({ external_id, brand: 'B', description: 'D', attributes: { a: 1 }, gtins: ['1'], sync_hash: 'h' })
    const cleared = async (fields: object) => (await put({ external_id, ...fields })).headers.get('x-cleared')
    assert.equal(await cleared({ brand: null, gtins: ['2'] }), 'attributes, brand, description')
    assert.equal(await cleared({ brand: 'B', gtins: ['2'], price_on_request: true, rating_count: 3 }), null)
    assert.equal(await cleared({ brand: '', gtins: [], attributes: {} }), 'brand, gtins')
    assert.equal(await cleared({}), null)
    assert.equal((await put({ brand: 'B' })).headers.get('x-cleared'), null)
    assert.equal(await cleared({ brand: 'B', sync_hash: 'k' }), null)
    assert.equal(await cleared({ sync_hash: 'k' }), null, 'an equal hash changes nothing')
    const properties = { colour: 'red', size: 'L', 'Größe, cm': [1], none: '', 'a.b': { c: 1 } }
    assert.equal(await cleared({ properties, attributes: { x: 1, y: 2 }, brand: 'B' }), null)
    assert.equal(
      await cleared({ properties: { colour: 'red', size: null, 'a.b': {} }, attributes: { x: 0 } }),
      'attributes.y, brand, properties.Gr%C3%B6%C3%9Fe%2C%20cm, properties.a.b, properties.size',
    )
    assert.equal(await cleared({}), 'attributes, properties', 'without any member the field is named alone')
  })

  test('an upsert that empties a thousand properties names those that have room in a header', async () => {
    const external_id = name()
    const properties = Object.fromEntries(Array.from({ length: 1_000 }, (_, i) => ['値'.repeat(96) + (1_000 + i), 1]))
    await stored({ external_id, properties: { ...properties, ['x'.repeat(101)]: 1, kept: 1 } })
    const answer = await put({ external_id, properties: { kept: 1 } })
    assert.equal(answer.status, 200)
    const cleared = answer.headers.get('x-cleared')!.split(', ').map(decodeURIComponent)
    assert.deepEqual(
      cleared,
      [1_000, 1_001].map((i) => `properties.${'値'.repeat(96)}${i}`),
    )
  })

  test('a site is named by id or slug, and an unknown one is reported in the query', async () => {
    assert.equal((await put({}, siteId.toUpperCase())).body.site_id, siteId)
    for (const site of [UNKNOWN, 'nowhere', 'DEFAULT', '']) {
      const answer = await put({}, site)
      assert.deepEqual([answer.status, faults(answer)], [422, [['query.site_id', 'reference_not_found']]])
    }
    const absent = await service.call('POST', PRODUCTS, { body: { title: 'T', language: 'de' } })
    assert.deepEqual(faults(absent), [['query.site_id', 'missing']])
    assert.deepEqual(faults(await service.call('GET', `${PRODUCTS}?site_id=nowhere`)), [
      ['query.site_id', 'reference_not_found'],
    ])
  })

  test('all faults are reported together, in the order of the fields', async () => {
    assert.deepEqual(faults(await put('{"price_current":"x","rating_average":9,"language":1}')), [
      ['body.title', 'missing'],
      ['body.language', 'string_type'],
      ['body.price_current', 'decimal_parsing'],
      ['body.rating_average', 'less_than_equal'],
    ])
  })

  test('prices keep every digit that was sent, as number and as text', async () => {
    const cases: [string, string][] = [
      ['0.1', '0.1'],
      ['19.90', '19.90'],
      ['99999999999999.99', '99999999999999.99'],
      ['12345678901234567890.123456789', '12345678901234567890.123456789'],
      ['0', '0'],
      ['-0', '0'],
      ['0.00', '0.00'],
      ['1e3', '1000'],
      ['1.5E-3', '0.0015'],
      ['1.25e+1', '12.5'],
      ['123e-2', '1.23'],
      ['"0.1"', '0.1'],
      ['"19.90"', '19.90'],
      ['"99999999999999.99"', '99999999999999.99'],
      ['"007.50"', '7.50'],
      ['"+5"', '5'],
      ['"5."', '5'],
      ['".5"', '0.5'],
      ['"-0.0"', '0.0'],
    ]
    for (const [sent, expected] of cases) {
      // The same key in a nested object or in a text is not the price.
      const body = `{"description":"\\"price_current\\": 7","properties":{"price_current":8.10},
        "title":"T","language":"de","price_current" : ${sent},"attributes":{"price_current":9}}`
      const { price_current, properties, id } = (await put(body)).body
      assert.deepEqual([price_current, properties], [expected, { price_current: 8.1 }], sent)
      assert.equal((await read(id)).price_current, expected)
    }
    const field = fc.constantFrom('price_current', 'price_msrp', 'price_special', 'rating_average')
    const digits = fc.tuple(fc.nat(4), fc.array(fc.nat(9), { minLength: 1, maxLength: 30 }), fc.boolean())
    await fc.assert(
      fc.asyncProperty(field, digits, async (price, [whole, fraction, asText]) => {
        const decimal = `${whole}.${fraction.join('')}`
        const body = `{"title":"T","language":"de","${price}":${asText ? `"${decimal}"` : decimal}}`
        const answer = await put(body)
        assert.equal(answer.body[price], decimal)
        assert.equal((await read(answer.body.id))[price], decimal)
      }),
      { numRuns: inTier({ gate: 15, all: 40 }) },
    )
  })

  test('an unchanged sync_hash moves last_synced_at and nothing else', async () => {
    const fields = { external_id: name(), sync_hash: 'one', brand: 'B', search_keywords: ['k'] }
    const first = await stored(fields)
    const watermark = async () =>
      (
        await service.database.queries
          .selectFrom('tenants')
          .select('watermark')
          .where('tenant_id', '=', service.tenantId)
          .executeTakeFirstOrThrow()
      ).watermark
    const before = await watermark()
    await until(() => Date.now() > Date.parse(first.last_synced_at), 'the clock goes on')
    const again = await put({ ...fields, brand: 'not looked at' })
    assert.deepEqual([again.status, again.headers.get('x-sync')], [200, 'unchanged'])
    assert.ok(again.body.last_synced_at > first.last_synced_at)
    assert.deepEqual({ ...again.body, last_synced_at: first.last_synced_at }, first)
    assert.equal(await watermark(), before)
    const changed = await put({ ...fields, brand: 'C', sync_hash: 'two' })
    assert.deepEqual([changed.headers.get('x-sync'), changed.body.brand, changed.body.sync_hash], [null, 'C', 'two'])
    const dropped = await put({ ...fields, brand: 'C', sync_hash: null })
    assert.deepEqual([dropped.body.sync_hash, dropped.body.updated_at], [null, changed.body.updated_at])
    assert.equal(dropped.headers.get('x-sync'), 'unchanged')
  })

  test('a parent with an overlong external_id matches no product, whatever its beginning', async () => {
    const longest = 'ä'.repeat(200)
    const { id } = await stored({ external_id: longest, is_parent: true })
    assert.equal((await stored({ parent_external_id: longest })).parent_product_id, id)
    for (const more of ['ä', '𠀀', 'x'.repeat(100_000)]) {
      assert.equal((await stored({ parent_external_id: longest + more })).parent_product_id, null)
    }
  })

  test('a variant waits for its parent, is linked when the parent arrives, and waits again when it is deleted', async () => {
    const [parent, child] = [name(), name()]
    const variant = await stored({ external_id: child, parent_external_id: parent, is_variant: true })
    assert.equal(variant.parent_product_id, null)
    const first = await stored({ external_id: parent, is_parent: true })
    assert.equal((await read(variant.id)).parent_product_id, first.id)
    const late = await stored({ external_id: name(), parent_external_id: parent })
    assert.equal(late.parent_product_id, first.id)
    assert.deepEqual(
      (await all(`parent_product_id=${first.id}`)).map(({ id }) => id),
      [late.id, variant.id],
    )
    assert.equal((await service.call('DELETE', `${PRODUCTS}/${first.id}`)).status, 204)
    assert.equal((await read(variant.id)).parent_product_id, null)
    const second = await stored({ external_id: parent, is_parent: true })
    assert.equal((await read(variant.id)).parent_product_id, second.id)
    assert.equal((await stored({ external_id: child })).parent_product_id, null)
    const foreign = await stored({ external_id: name(), parent_external_id: parent }, await newSite())
    assert.equal(foreign.parent_product_id, null)
  })

  test('a list is filtered, newest first, in pages without gaps or duplicates', async () => {
    const site = await newSite()
    const ids: string[] = []
    for (let i = 0; i < 7; i++) {
      const fields = {
        brand: i % 2 ? 'Odd' : 'Even',
        category: `C${i % 3}`,
        availability: 'InStock',
        is_variant: i > 4,
      }
      ids.push((await stored({ external_id: `l-${i}`, language: i > 2 ? 'de' : 'en', ...fields }, site)).id)
    }
    const listed = async (query: string) => (await all(`site_id=${site}&limit=2${query}`)).map((row) => row.external_id)
    assert.deepEqual(await listed(''), ['l-6', 'l-5', 'l-4', 'l-3', 'l-2', 'l-1', 'l-0'])
    assert.deepEqual(await listed('&brand=Odd'), ['l-5', 'l-3', 'l-1'])
    assert.deepEqual(await listed('&category=C0&language=de'), ['l-6', 'l-3'])
    assert.deepEqual(await listed('&is_variant=true'), ['l-6', 'l-5'])
    assert.deepEqual(await listed('&is_variant=false&availability=InStock'), ['l-4', 'l-3', 'l-2', 'l-1', 'l-0'])
    assert.deepEqual(await listed('&external_id=l-3'), ['l-3'])
    assert.deepEqual(await listed('&source=feed'), [])
    const total = await service.call('GET', `${PRODUCTS}?site_id=${site}&limit=1&include_total=true&brand=Odd`)
    assert.equal(total.headers.get('x-total-count'), '3')
    for (const limit of [0, 1_001]) {
      const answer = await service.call('GET', `${PRODUCTS}?limit=${limit}`)
      assert.deepEqual([answer.status, faults(answer)[0][0]], [422, 'query.limit'])
    }
  })

  test('a page of long products ends early', async () => {
    const site = await newSite()
    for (let i = 0; i < 9; i++) await stored({ external_id: `long-${i}`, category: 'long' }, site)
    const { queries } = service.database
    // Stored directly, because the service would compute vectors.
    await queries
      .updateTable('products')
      .set({ attributes: `{"a":"${'ä'.repeat(500_000)}"}` })
      .where('tenant_id', '=', service.tenantId)
      .where('category', '=', 'long')
      .execute()
    const first = await service.call('GET', `${PRODUCTS}?site_id=${site}`)
    assert.equal(first.body.length, 8)
    assert.deepEqual(
      (await all(`site_id=${site}`)).map((row) => row.external_id),
      Array.from({ length: 9 }, (_, i) => `long-${8 - i}`),
    )
    await queries
      .updateTable('products')
      .set({ attributes: '{}' })
      .where('tenant_id', '=', service.tenantId)
      .where('category', '=', 'long')
      .execute()
  })

  test('a deleted product is gone, and its external_id is free', async () => {
    const external_id = name()
    const { id } = await stored({ external_id })
    assert.equal((await service.call('DELETE', `${PRODUCTS}/${id}`)).status, 204)
    for (const method of ['GET', 'DELETE']) assert.equal((await service.call(method, `${PRODUCTS}/${id}`)).status, 404)
    const again = await put({ external_id })
    assert.deepEqual([again.status, again.body.id === id], [201, false])
  })

  test('eight writers of one external_id at the same moment make one product, which is one complete write', async (t) => {
    const site = await newSite()
    const urls = [service.service.url]
    if (kind.name === 'PostgreSQL') {
      // Writers of one process could queue in memory; between two processes only row locks help.
      const sibling = await service.sibling()
      t.after(() => sibling.stop())
      urls.push(sibling.url)
    }
    const write = async (n: number, base: string) => {
      const fields = { external_id: 'one', title: `${n}`, brand: `${n}`, price_current: n, sku: `${n}` }
      const answer = await put(fields, site, service.adminKey, base)
      assert.ok(answer.status < 300, JSON.stringify(answer.body))
      return answer
    }
    let next = 0
    const created: string[] = []
    const writer = async (_: unknown, i: number) => {
      for (let n = next++; n < UPSERTS; n = next++) {
        const answer = await write(n, urls[i % urls.length])
        if (answer.status === 201) created.push(answer.body.id)
        const { title, brand, sku, price_current } = await read(answer.body.id)
        assert.deepEqual([brand, sku, price_current], [title, title, title])
      }
    }
    await Promise.all(Array.from({ length: 8 }, writer))
    const rows = await all(`site_id=${site}`)
    assert.deepEqual([rows.length, created], [1, [rows[0].id]])
  })

  test('another tenant’s products and sites look as if they did not exist', async () => {
    const tenant = await service.tenant('other')
    const { key } = await service.user({ tenant, email: 'p@b.example' })
    const { id, external_id } = await stored({ external_id: name(), sync_hash: 'h' })
    const theirs = await put({ external_id, sync_hash: 'h' }, 'default', key)
    assert.deepEqual([theirs.status, theirs.body.id === id, theirs.body.tenant_id], [201, false, tenant])
    for (const method of ['GET', 'DELETE'])
      assert.equal((await service.call(method, `${PRODUCTS}/${id}`, { key })).status, 404)
    assert.equal((await put({}, siteId, key)).status, 422)
    const { body } = await service.call('GET', PRODUCTS, { key })
    assert.deepEqual(
      body.map((row: { id: string }) => row.id),
      [theirs.body.id],
    )
    assert.equal((await read(id)).id, id)
  })

  test('products are read with products:read and written with products:write', async () => {
    const reader = await service.key(['products:read', 'sites:read'])
    const { id } = await stored()
    assert.equal((await service.call('GET', `${PRODUCTS}/${id}`, { key: reader })).status, 200)
    assert.equal((await put({}, 'default', reader)).status, 403)
    assert.equal((await service.call('DELETE', `${PRODUCTS}/${id}`, { key: reader })).status, 403)
    const writer = await service.key(['products:write'])
    assert.equal((await put({}, 'default', writer)).status, 201)
    assert.equal((await service.call('GET', PRODUCTS, { key: writer })).status, 403)
  })

  test('every write that changes something has its audit record', async () => {
    const external_id = name()
    const { id } = await stored({ external_id, sync_hash: 'a' })
    await stored({ external_id, sync_hash: 'a' })
    await stored({ external_id, sync_hash: 'b', title: 'New' })
    await service.call('DELETE', `${PRODUCTS}/${id}`)
    assert.deepEqual(await auditedActions(service.database.queries, id), ['create', 'update', 'delete'])
  })
})
