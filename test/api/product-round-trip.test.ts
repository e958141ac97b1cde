import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import * as fc from 'fast-check'
import { READ_ONLY_FIELDS, type WRITTEN_FIELDS } from '../../src/shop/products/contract.ts'
import { onEachDatabase } from '../support/databases.ts'
import type { Answer, TestService } from '../support/service.ts'
import { joinService } from '../support/shared-service.ts'
import { inTier } from '../support/tier.ts'

const PRODUCTS = '/api/knowledge/products'
const STRICT = { prefer: 'handling=strict' }

const text = (maxLength: number, minLength = 0) =>
  fc
    .string({ unit: 'grapheme', minLength, maxLength })
    .map((value) => value.toWellFormed().replaceAll('\0', ''))
    .filter((value) => value.length >= minLength && Array.from(value).length <= maxLength)
const decimal = (whole: number) =>
  fc
    .tuple(fc.nat(whole), fc.string({ unit: fc.nat(9).map(String), maxLength: 12 }))
    .map(([n, rest]) => (rest === '' ? String(n) : `${n}.${rest}`))
const time = fc
  .date({ min: new Date('0001-01-01'), max: new Date('2020-01-01'), noInvalidDate: true })
  .map((date) => date.toISOString())
const json = fc.dictionary(
  text(8).filter((name) => name !== '__proto__' && name !== 'constructor'),
  fc.jsonValue({ maxDepth: 2, stringUnit: fc.constantFrom('a', 'ä', '漢', '𠀀', '"', '\\', ' ') }),
  { maxKeys: 4 },
)

/** Values of each field that a write takes, but the id of the product. */
const VALUES: Readonly<Record<Exclude<keyof typeof WRITTEN_FIELDS, 'external_id'>, fc.Arbitrary<unknown>>> = {
  title: text(20, 1),
  language: fc.constantFrom('de', 'en-GB', 'fr', 'iw', 'zh'),
  description: text(30),
  short_description: text(20),
  sku: text(20),
  gtin: text(14),
  gtins: fc.array(text(14, 1), { maxLength: 3 }),
  brand: text(20),
  category: text(20),
  attributes: json,
  properties: json,
  price_current: decimal(10_000),
  price_msrp: decimal(10_000),
  price_special: decimal(10_000),
  price_special_from: time,
  price_special_until: fc.constant('2035-06-01T12:00:00.5+02:00'),
  price_on_request: fc.boolean(),
  currency: fc.constantFrom('USD', 'CHF', 'EUR', ''),
  image_url: text(20),
  additional_images: fc.array(text(20), { maxLength: 3 }),
  product_url: text(20),
  availability: fc.constantFrom('InStock', 'OutOfStock', ''),
  rating_average: decimal(4),
  rating_count: fc.nat(2_147_483_647),
  parent_external_id: fc.oneof(text(20), fc.constant('long '.repeat(60))),
  is_variant: fc.boolean(),
  is_parent: fc.boolean(),
  similarity_text: text(20),
  search_keywords: fc.array(text(10), { maxLength: 3 }),
  embedding_text_description: text(20),
  embedding_text_properties: text(20),
  embedding_text_attributes: text(20),
  sync_hash: text(20),
}
const products = fc.record(VALUES, { requiredKeys: ['title', 'language'] })

onEachDatabase('a product that is sent back as it was read', (kind) => {
  let service: TestService
  let names = 0
  before(async () => {
    service = await joinService(kind)
  })
  after(() => service.stop())

  const post = (body: object, headers = {}) => service.call('POST', `${PRODUCTS}?site_id=default`, { body, headers })
  const read = async (id: string) => (await service.call('GET', `${PRODUCTS}/${id}`)).body
  const stored = async (fields: object) => {
    const answer = await post({ external_id: `trip-${++names}`, ...fields })
    assert.equal(answer.status, 201, JSON.stringify(answer.body))
    return read(answer.body.id)
  }
  const unchanged = (answer: Answer, product: { id: string; last_synced_at: string }) => {
    assert.equal(answer.status, 200, JSON.stringify(answer.body))
    assert.deepEqual([answer.headers.get('x-sync'), answer.headers.get('x-cleared')], ['unchanged', null])
    assert.deepEqual({ ...answer.body, last_synced_at: product.last_synced_at }, product)
  }

  test('is the same product, whatever fields it has, also for a caller who refuses undeclared fields', async () => {
    await fc.assert(
      fc.asyncProperty(products, async (fields) => {
        const product = await stored(fields)
        unchanged(await post(product), product)
        const strict = await post(product, STRICT)
        unchanged(strict, product)
        assert.deepEqual(strict.headers.get('x-ignored')!.split(', ').toSorted(), READ_ONLY_FIELDS.toSorted())
        // In a patch, null within these objects would remove a member.
        const { attributes: _attributes, properties: _properties, ...patch } = product
        const path = `${PRODUCTS}/${product.id}`
        unchanged(await service.call('PATCH', path, { body: patch, headers: STRICT }), product)
        for (const [mode, line] of Object.entries({ upsert: product, patch })) {
          const bulk = await service.call('POST', `${PRODUCTS}/bulk?site_id=default&source=api&mode=${mode}`, {
            body: JSON.stringify(line),
            headers: { 'content-type': 'application/x-ndjson', ...STRICT },
          })
          assert.deepEqual([bulk.body.status, bulk.body.id], ['unchanged', product.id], JSON.stringify(bulk.body))
        }
        assert.deepEqual({ ...(await read(product.id)), last_synced_at: product.last_synced_at }, product)
      }),
      { numRuns: inTier({ gate: 20, all: 200 }) },
    )
  })

  test('keeps its parent, and the texts that only search reads', async () => {
    const parent = await stored({ title: 'Parent', language: 'en', is_parent: true })
    const texts = {
      similarity_text: 'near',
      embedding_text_description: 'one',
      embedding_text_properties: 'two',
      embedding_text_attributes: 'three',
    }
    const variant = await stored({ title: 'V', language: 'en', parent_external_id: parent.external_id, ...texts })
    assert.equal(variant.parent_product_id, parent.id)
    const changed = await post({ ...variant, brand: 'New' })
    const { updated_at, last_synced_at } = changed.body
    assert.deepEqual(changed.body, { ...variant, brand: 'New', version: 2, updated_at, last_synced_at })
    assert.equal(changed.headers.get('x-cleared'), null)
  })

  test('has the source of a single call afterwards, unless its hash says that it is the same', async () => {
    const feed = { title: 'F', language: 'en', external_id: `trip-${++names}`, description: 'D' }
    const pushed = await service.call('POST', `${PRODUCTS}/bulk?site_id=default`, {
      body: JSON.stringify(feed),
      headers: { 'content-type': 'application/x-ndjson' },
    })
    const product = await read(pushed.body.id)
    const { body } = await post(product)
    const { updated_at, last_synced_at } = body
    assert.deepEqual(body, { ...product, source: 'api', version: 2, updated_at, last_synced_at })
    await service.call('POST', `${PRODUCTS}/bulk?site_id=default`, {
      body: JSON.stringify({ ...feed, sync_hash: 'h' }),
      headers: { 'content-type': 'application/x-ndjson' },
    })
    const hashed = await read(product.id)
    assert.equal(hashed.source, 'feed')
    unchanged(await post(hashed), hashed)
  })

  test('has no other fields than those that a write or an answer has', async () => {
    const product = await stored({ title: 'S', language: 'en' })
    const refused = await post({ ...product, varsion: 1 }, STRICT)
    assert.deepEqual([refused.status, refused.body.detail.length], [422, 1])
    assert.deepEqual(refused.body.detail[0].loc, ['body', 'varsion'])
  })
})
