import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { createClient, type EntryHit, type ProductHit } from '../../client/src/index.ts'
import { ENTRY_FIELDS } from '../../src/knowledge/entries/contract.ts'
import { PUBLIC_ENTRY_FIELDS } from '../../src/knowledge/entries/search/entry-fields.ts'
import { PRODUCT_FIELDS } from '../../src/shop/products/contract.ts'
import { PUBLIC_PRODUCT_FIELDS } from '../../src/shop/products/search/product-fields.ts'
import { DATABASES } from '../support/databases.ts'
import type { TestService } from '../support/service.ts'
import { joinService } from '../support/shared-service.ts'

/** Fields that a type guarantees. */
type Sure<Document> = Document extends unknown
  ? { [Field in keyof Document]-?: object extends Pick<Document, Field> ? never : Field }[keyof Document]
  : never

/** All fields that the types guarantee for hits of searches without `fields`. Any other field would not compile. */
const OF_PRODUCT: Readonly<Record<Sure<ProductHit['product']>, true>> = {
  id: true,
  site_id: true,
  external_id: true,
  title: true,
  description: true,
  short_description: true,
  sku: true,
  gtin: true,
  brand: true,
  category: true,
  attributes: true,
  properties: true,
  price_current: true,
  price_msrp: true,
  price_special: true,
  price_special_from: true,
  price_special_until: true,
  price_effective: true,
  price_on_request: true,
  currency: true,
  image_url: true,
  additional_images: true,
  product_url: true,
  availability: true,
  rating_average: true,
  rating_count: true,
  language: true,
  translation_group_id: true,
  parent_product_id: true,
  is_variant: true,
  is_parent: true,
  created_at: true,
  updated_at: true,
}
const OF_ENTRY: Readonly<Record<Sure<EntryHit['entry']>, true>> = {
  id: true,
  type: true,
  title: true,
  summary: true,
  content: true,
  category_id: true,
  layer: true,
  language: true,
  tags: true,
  translation_group_id: true,
  created_at: true,
  updated_at: true,
}

describe('types of hits', () => {
  let service: TestService
  let page: string
  before(async () => {
    service = await joinService(DATABASES[0])
    const entry = { title: 'Lamp care', content: 'Dust the lamp.', category_id: await service.category() }
    const entries = '/api/knowledge/knowledge-entries'
    assert.equal((await service.call('POST', entries, { body: { ...entry, visibility: 'public' } })).status, 201)
    const product = { title: 'Lamp', language: 'en', external_id: 'lamp' }
    const products = '/api/knowledge/products?site_id=default'
    assert.equal((await service.call('POST', products, { body: product })).status, 201)
    const body = { name: 'page', origins: ['https://shop.example'], sections: ['products', 'knowledge'] }
    page = (await service.call('POST', '/api/knowledge/api-keys/publishable', { body })).body.key
  })
  after(() => service.stop())
  const lamp = { query: 'lamp', mode: 'keyword' } as const
  const clientWith = (key: string) => createClient({ url: service.service.url, key })

  test('a publishable key that names no fields gets every field that the types guarantee', async () => {
    const client = clientWith(page)
    const [{ product }] = (await client.searchProducts(lamp)).hits
    assert.deepEqual(Object.keys(product).sort(), Object.keys(OF_PRODUCT).sort())
    const [{ entry }] = (await client.searchEntries(lamp)).hits
    assert.deepEqual(Object.keys(entry).sort(), Object.keys(OF_ENTRY).sort())
  })

  test('the fields that the types do not guarantee are private, or absent where nothing is known', () => {
    const unsure = (all: readonly string[], open: readonly string[], sure: object) =>
      all.filter((field) => open.includes(field) && !(field in sure))
    assert.deepEqual(unsure(PRODUCT_FIELDS, PUBLIC_PRODUCT_FIELDS, OF_PRODUCT), ['gtins'])
    assert.deepEqual(unsure(ENTRY_FIELDS, PUBLIC_ENTRY_FIELDS, OF_ENTRY), ['url'])
  })

  test('a search that names fields gets these, typed as in the whole product or entry, and no others', async () => {
    const client = clientWith(service.adminKey)
    const [{ product }] = (await client.searchProducts({ ...lamp, fields: ['id', 'sync_hash'] })).hits
    const id: string = product.id
    const hash: string | null = product.sync_hash
    // @ts-expect-error -- the search did not name it
    const { title } = product
    assert.deepEqual([typeof id, hash, title], ['string', null, undefined])
    const [{ entry }] = (await client.searchEntries({ ...lamp, fields: ['version'], include_category_path: true })).hits
    const version: number = entry.version
    // @ts-expect-error -- and this one neither
    assert.deepEqual([version, entry.content, entry.category_path?.length], [1, undefined, 1])
  })

  test('fields that are known only at run time may all be missing', async () => {
    const fields: ('id' | 'title')[] = ['title']
    const [{ product }] = (await clientWith(page).searchProducts({ ...lamp, fields })).hits
    // @ts-expect-error -- it may be missing
    const id: string = product.id
    assert.deepEqual([id, product.title], [undefined, 'Lamp'])
  })

  test('each section of a search, alone or among several, has the fields that it names', async () => {
    const products = { fields: ['title'] } as const
    const { sections } = await clientWith(page).search({ ...lamp, products })
    const titles = sections.map(({ section, hits }) =>
      section === 'products' ? hits.map(({ product }) => product.title) : hits.map(({ entry }) => entry.content),
    )
    const sectionTitles: string[][] = titles
    assert.deepEqual(sectionTitles, [['Lamp'], ['Dust the lamp.']])
    const [first, second] = await clientWith(service.adminKey).multiSearch([
      { ...lamp, sections: ['products'], products: { fields: ['title'] } },
      { ...lamp, sections: ['knowledge'], knowledge: { fields: ['id'] } },
    ])
    const named = [...first.sections, ...second.sections].map((each) =>
      each.section === 'products' ? each.hits[0].product.title : typeof each.hits[0].entry.id,
    )
    assert.deepEqual(named, ['Lamp', 'string'])
  })

  test('the type of an entry still tells what its metadata has', async () => {
    const [{ entry }] = (await clientWith(service.adminKey).searchEntries(lamp)).hits
    if (entry.type === 'skill') assert.fail(entry.metadata?.steps.join())
    assert.equal(entry.type, 'knowledge')
  })
})
