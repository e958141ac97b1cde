import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { onEachDatabase } from '../../../../test/support/databases.ts'
import { TestService } from '../../../../test/support/service.ts'
import { BUILTIN_ID } from '../../../embedding/builtin/builtin.ts'
import { EmbedderPool } from '../../../embedding/embedder-pool.ts'
import { findAnchor } from '../../../search/request/anchor.ts'
import type { IndexChange, IndexDocument } from '../../../search/engine.ts'
import { indexSource } from '../../../search/indexing/index-source.ts'
import { findProduct } from '../store.ts'
import { embeddingTextsOf } from './embedding-texts.ts'
import { SEARCHABLE_PRODUCTS } from './index-source.ts'
import { PRODUCT_EMBEDDING } from './product-embedding.ts'

const PRODUCTS = '/api/knowledge/products'

onEachDatabase('products as search sees them', (kind) => {
  let service: TestService
  let site: string
  const pool = new EmbedderPool({ provider: 'builtin', url: null, model: null, apiKey: null, dimensions: null })
  before(async () => {
    service = await TestService.start(kind)
    site = (await service.call('GET', '/api/knowledge/sites')).body[0].id
  })
  after(() => service.stop())

  const put = async (fields: object) =>
    (await service.call('POST', `${PRODUCTS}?site_id=default`, { body: { title: 'T', language: 'de', ...fields } }))
      .body
  const push = (lines: readonly object[]) =>
    service.call('POST', `${PRODUCTS}/bulk?site_id=default&sync=full`, {
      body: lines.map((line) => `${JSON.stringify({ title: 'T', language: 'de', ...line })}\n`).join(''),
      headers: { 'content-type': 'application/x-ndjson' },
    })
  const watermark = async () =>
    (await service.database.queries.selectFrom('tenants').select('watermark').executeTakeFirstOrThrow()).watermark
  const changesSince = async (from: number) => {
    const version = { tenantId: 'default', index: 'products', model: BUILTIN_ID, watermark: await watermark() }
    const changes: IndexChange[] = []
    const source = indexSource(service.database, SEARCHABLE_PRODUCTS)
    for await (const batch of source.changes(version, from)) changes.push(...batch)
    return changes
  }
  const removedSince = async (from: number) =>
    (await changesSince(from)).map((change) => ('remove' in change ? change.remove : 'put'))
  const documentSince = async (from: number): Promise<IndexDocument> => {
    const [change] = await changesSince(from)
    assert.ok('put' in change)
    return change.put
  }
  const embed = async (text: string) => (await pool.of(BUILTIN_ID)!.embed([text], 'passage'))[0]

  test('a product has its texts, keys and numbers, and one vector for each of its embedding texts', async () => {
    const from = await watermark()
    const product = await put({
      external_id: 'X 1-a',
      title: 'Akkuschrauber',
      description: 'Schraubt ohne Kabel',
      short_description: 'Schraubt',
      sku: 'AB-12 c',
      gtin: '400-6381',
      brand: 'Bosch',
      category: 'Werkzeug',
      availability: 'InStock',
      price_current: '19.90',
      rating_average: 4.5,
      properties: { Spannung: '18 V', Akku: { Typ: 'Li-Ion', Zellen: [5, 10] }, leer: '' },
      attributes: { Farbe: 'blau' },
      search_keywords: ['Schrauber'],
      is_variant: true,
    })
    const document = await documentSince(from)
    assert.deepEqual(document.text, {
      title: ['Akkuschrauber'],
      brand: ['Bosch'],
      keywords: ['Schrauber'],
      category: ['Werkzeug'],
      identifiers: ['X 1-a', 'AB-12 c', '400-6381'],
      properties: ['Spannung: 18 V', 'Akku: Typ: Li-Ion, Zellen: 5, 10', 'Farbe: blau'],
      description: ['Schraubt', 'Schraubt ohne Kabel'],
    })
    assert.deepEqual(document.keys, {
      site: [site],
      brand: ['Bosch'],
      category: ['Werkzeug'],
      availability: ['InStock'],
      language: ['de'],
      identifier: ['x1a', 'ab12c', '4006381'],
      variant: ['variant'],
      on_request: [],
      family: [product.id],
      self: ['head'],
    })
    assert.deepEqual(document.numbers, {
      price: 19.9,
      special: null,
      special_from: null,
      special_until: null,
      rating: 4.5,
      rating_count: 0,
      created_at: Date.parse(product.created_at),
      updated_at: Date.parse(product.updated_at),
    })
    assert.deepEqual(document.properties, { 'attributes.Farbe': ['blau'], 'path.category': ['Werkzeug'] })
    assert.deepEqual([document.id, document.group, document.language], [product.id, product.id, 'de'])
    const texts = [
      'Akkuschrauber\n\nSchraubt ohne Kabel',
      'Akkuschrauber\n\nSpannung: 18 V\nAkku: Typ: Li-Ion, Zellen: 5, 10',
      'Akkuschrauber\n\nFarbe: blau',
    ]
    assert.equal(document.passages.length, 3)
    for (const [i, text] of texts.entries()) assert.deepEqual(document.passages[i].vector, await embed(text))
  })

  test('given texts are embedded in place of generated ones, and a new text replaces the old vectors', async () => {
    const from = await watermark()
    await put({ external_id: 'given', embedding_text_description: 'one', embedding_text_attributes: 'three' })
    const first = await documentSince(from)
    assert.deepEqual(
      first.passages.map(({ vector }) => vector),
      [await embed('one'), await embed('three')],
    )
    const then = await watermark()
    await put({ external_id: 'given', embedding_text_description: 'four' })
    const second = await documentSince(then)
    assert.deepEqual(
      second.passages.map(({ vector }) => vector),
      [await embed('four')],
    )
  })

  test('a change of price alone keeps the vectors, and a push that changes nothing leaves the index alone', async () => {
    await put({ external_id: 'cheap', price_current: 5, sync_hash: 'a' })
    const from = await watermark()
    await put({ external_id: 'cheap', price_current: 6, sync_hash: 'b' })
    const document = await documentSince(from)
    assert.deepEqual([document.numbers.price, document.passages.length], [6, 1])
    const then = await watermark()
    await put({ external_id: 'cheap', price_current: 6, sync_hash: 'b' })
    assert.deepEqual([await watermark(), await changesSince(then)], [then, []])
  })

  test('deleted and retired products are removed, and products that are named again come back', async () => {
    await push([{ external_id: 'stays' }, { external_id: 'goes' }])
    const [goes, stays] = (await service.call('GET', `${PRODUCTS}?source=feed`)).body
    let from = await watermark()
    await push([{ external_id: 'stays' }])
    assert.deepEqual(await removedSince(from), [goes.id])
    from = await watermark()
    await push([{ external_id: 'stays' }, { external_id: 'goes' }])
    const back = await documentSince(from)
    assert.deepEqual([back.id, back.passages.length], [goes.id, 1])
    from = await watermark()
    await service.call('DELETE', `${PRODUCTS}/${stays.id}`)
    assert.deepEqual(await removedSince(from), [stays.id])
  })

  test('the anchor is the vector of the similarity text, else the mean of the other vectors', async () => {
    const anchored = await put({ external_id: 'anchor', description: 'D', similarity_text: 'Ziel' })
    const db = service.database.queries
    const anchorOf = async (id: string, model: string, tenantId = 'default') => {
      const row = (await findProduct(db, 'default', id))!
      return findAnchor(db, PRODUCT_EMBEDDING, { ...row, tenant_id: tenantId }, model)
    }
    assert.deepEqual(await anchorOf(anchored.id, BUILTIN_ID), await embed('Ziel'))
    const plain = await put({ external_id: 'plain', title: 'Mitte' })
    const mean = await anchorOf(plain.id, BUILTIN_ID)
    const alone = await embed('Mitte')
    for (const [i, component] of mean!.entries()) assert.ok(Math.abs(component - alone[i]) < 1e-6)
    assert.equal(await anchorOf(plain.id, 'another'), null)
    assert.equal(await anchorOf(plain.id, BUILTIN_ID, 'other'), null)
  })

  test('a text longer than any model reads is cut, and there is always one text', () => {
    const row = {
      title: 'T',
      description: 'x'.repeat(20_000),
      short_description: 'S',
      attributes: '{}',
      properties: '{}',
      similarity_text: null,
      embedding_text_description: null,
      embedding_text_properties: null,
      embedding_text_attributes: ' ',
    }
    assert.deepEqual(
      embeddingTextsOf(row).map(({ part, text }) => [part, text.length]),
      [['description', 8_000]],
    )
    assert.deepEqual(embeddingTextsOf({ ...row, description: null }), [{ part: 'description', text: 'T\n\nS' }])
    const bare = { ...row, description: null, short_description: null }
    assert.deepEqual(embeddingTextsOf(bare), [{ part: 'description', text: 'T' }])
  })
})
