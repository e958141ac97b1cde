import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { auditedActions } from '../support/audited.ts'
import { onEachDatabase } from '../support/databases.ts'
import { until } from '../support/patience.ts'
import type { Answer, Call, TestService } from '../support/service.ts'
import { joinService } from '../support/shared-service.ts'

const PRODUCTS = '/api/knowledge/products'
const UNKNOWN = '00000000-0000-7000-8000-000000000000'
const MERGE_PATCH = { 'content-type': 'application/merge-patch+json' }

/** A value of every field that a write may have, but of the external_id and the hash. */
const FULL = {
  title: 'Lamp',
  description: 'A long description',
  short_description: 'Short',
  sku: 'L-1',
  gtin: '4006381333931',
  gtins: ['036000291452'],
  brand: 'Brand',
  category: 'Light > Lamps',
  attributes: { color: 'red', size: { w: 1, h: 2 }, list: [1, 2] },
  properties: { weight: 1.5, note: 'n' },
  price_current: '19.90',
  price_msrp: '29.90',
  price_special: '15.00',
  price_special_from: '2026-01-01T00:00:00.000Z',
  price_special_until: '2036-01-01T00:00:00.000Z',
  price_on_request: true,
  currency: 'USD',
  image_url: 'https://img.example/1.png',
  additional_images: ['https://img.example/2.png'],
  product_url: 'https://shop.example/p',
  availability: 'InStock',
  rating_average: '4.5',
  rating_count: 7,
  language: 'en-GB',
  is_variant: true,
  is_parent: true,
  search_keywords: ['b', 'a'],
}

onEachDatabase('products that are changed in part', (kind) => {
  let service: TestService
  let names = 0
  before(async () => {
    service = await joinService(kind)
  })
  after(() => service.stop())

  const name = () => `patched-${++names}`
  const put = (fields: object, site = 'default') =>
    service.call('POST', `${PRODUCTS}?site_id=${site}`, { body: { title: 'A product', language: 'en', ...fields } })
  const stored = async (fields: object = {}, site?: string) => {
    const answer = await put(fields, site)
    assert.ok(answer.status < 300, JSON.stringify(answer.body))
    return answer.body
  }
  const patch = (id: string, body: unknown, call: Call = {}) =>
    service.call('PATCH', `${PRODUCTS}/${id}`, { ...call, body })
  const patched = async (id: string, body: unknown, headers = {}) => {
    const answer = await patch(id, body, { headers })
    assert.equal(answer.status, 200, JSON.stringify(answer.body))
    return answer.body
  }
  const patchNamed = (externalId: string, body: unknown, site = 'default', headers = {}) =>
    service.call('PATCH', `${PRODUCTS}/by-external-id/${encodeURIComponent(externalId)}?site_id=${site}`, {
      body,
      headers,
    })
  const read = async (id: string) => (await service.call('GET', `${PRODUCTS}/${id}`)).body
  const newSite = async () => {
    const slug = `s-${++names}`
    await service.call('POST', '/api/knowledge/sites', { body: { slug, name: slug } })
    return slug
  }
  const faults = ({ status, body }: Answer) => [
    status,
    ...(body.detail as { loc: string[]; type: string }[]).map(({ loc, type }) => `${type} ${loc.join('.')}`),
  ]
  /** The columns of a product that no answer has. */
  const columns = (id: string) =>
    service.database.queries.selectFrom('products').selectAll().where('id', '=', id).executeTakeFirstOrThrow()

  test('only what is sent changes, in either media type, by id and by external_id', async () => {
    const external_id = 'a/b ä?#%'
    const before = await stored({ ...FULL, external_id })
    const one = await patch(before.id, { price_current: 12.5 })
    assert.equal(one.status, 200)
    const { version, updated_at, last_synced_at } = one.body
    const expected = { ...before, price_current: '12.5', version: 2, updated_at, last_synced_at }
    assert.deepEqual([one.body, version], [expected, before.version + 1])
    assert.equal(one.headers.get('etag'), `"2-${before.id}"`)
    assert.equal(one.headers.get('x-sync'), null)
    assert.deepEqual(await read(before.id), one.body)
    const two = await patchNamed(external_id, { brand: 'Other' }, 'default', MERGE_PATCH)
    assert.deepEqual(
      [two.status, two.body.id, two.body.brand, two.body.price_current, two.body.version],
      [200, before.id, 'Other', '12.5', 3],
    )
    assert.equal((await patched(before.id, { title: 'New' }, MERGE_PATCH)).title, 'New')
  })

  test('null clears a field, and gives it what an absent one has', async () => {
    const bare = await stored({ language: 'en-GB', title: 'Lamp' })
    const { id } = await stored({ ...FULL, external_id: name() })
    const { title: _title, language: _language, ...clearable } = FULL
    const nulls = Object.fromEntries(Object.keys(clearable).map((field) => [field, null]))
    const cleared = await patched(id, { ...nulls, similarity_text: null })
    for (const field of [...Object.keys(FULL), 'price_effective'])
      assert.deepEqual(cleared[field], bare[field], `${field} is as in a product that never had it`)
  })

  test('members of attributes and properties change one by one; lists are replaced', async () => {
    const { id } = await stored({ ...FULL, external_id: name() })
    const { attributes, properties, search_keywords } = await patched(id, {
      attributes: { color: null, size: { w: 3 }, list: [3], new: { x: null, y: 1 } },
      properties: { weight: 2 },
      search_keywords: ['c'],
    })
    assert.deepEqual(attributes, { size: { w: 3, h: 2 }, list: [3], new: { y: 1 } })
    assert.deepEqual([properties, search_keywords], [{ weight: 2, note: 'n' }, ['c']])
    assert.deepEqual((await patched(id, { attributes: null })).attributes, {})
  })

  test('prices keep every digit', async () => {
    const { id } = await stored({ external_id: name() })
    const body = '{"price_current": 12345678901234567890.10, "properties": {"price_current": 8.10}}'
    const { price_current, properties } = await patched(id, body)
    assert.deepEqual([price_current, properties], ['12345678901234567890.10', { price_current: 8.1 }])
  })

  test('a patch clears the hash of the last sync unless it sends one, so that the next feed corrects it', async () => {
    const external_id = name()
    const feed = { external_id, price_current: '5', sync_hash: 'one' }
    const { id } = await stored(feed)
    const changed = await patched(id, { price_current: '6' })
    assert.deepEqual([changed.sync_hash, changed.price_current], [null, '6'])
    const again = await put(feed)
    assert.deepEqual([again.headers.get('x-sync'), again.body.price_current, again.body.sync_hash], [null, '5', 'one'])
    const hashed = await patched(id, { price_current: '7', sync_hash: 'two' })
    assert.deepEqual([hashed.sync_hash, hashed.price_current], ['two', '7'])
    const equal = await patch(id, { price_current: '8', sync_hash: 'two' })
    assert.deepEqual([equal.headers.get('x-sync'), equal.body.price_current], ['unchanged', '7'])
  })

  test('a patch that changes nothing leaves version, vectors and search alone', async () => {
    const before = await stored({ ...FULL, external_id: name(), sync_hash: 'h' })
    const row = await columns(before.id)
    await until(() => Date.now() > Date.parse(before.last_synced_at), 'the clock goes on')
    for (const body of [{}, { brand: 'Brand', attributes: { size: { h: 2, w: 1 } }, price_current: 19.9 + '0' }]) {
      const answer = await patch(before.id, body)
      assert.deepEqual([answer.status, answer.headers.get('x-sync')], [200, 'unchanged'])
      const { last_synced_at, ...rest } = answer.body
      assert.deepEqual({ ...rest, last_synced_at: before.last_synced_at, sync_hash: 'h' }, before)
      assert.ok(last_synced_at > before.last_synced_at)
      assert.equal(rest.sync_hash, null)
    }
    const { last_synced_at: _time, sync_hash: _hash, ...same } = await columns(before.id)
    const { last_synced_at: _before, sync_hash: _one, ...expected } = row
    assert.deepEqual(same, expected)
  })

  test('the source of a product stays, so that a full sync of its feed still retires it', async () => {
    const site = await newSite()
    const push = (lines: string, query = '') =>
      service.call('POST', `${PRODUCTS}/bulk?site_id=${site}${query}`, {
        body: lines,
        headers: { 'content-type': 'application/x-ndjson' },
      })
    const one = '{"title":"A","language":"en","external_id":"a"}'
    await push(`${one}\n${one.replace('"a"', '"b"')}`)
    const answer = await patchNamed('b', { price_current: 1 }, site)
    assert.equal(answer.body.source, 'feed')
    await until(() => Date.now() > Date.parse(answer.body.last_synced_at), 'the clock goes on')
    await push(one, '&sync=full')
    assert.equal((await service.call('GET', `${PRODUCTS}/${answer.body.id}`)).status, 404)
    assert.deepEqual(faults(await patch(answer.body.id, {})), [404, 'not_found path.product_id'])
    assert.deepEqual(faults(await patchNamed('b', {}, site)), [404, 'not_found path.external_id'])
  })

  test('a parent that a patch names is looked up; another availability changes what its parent has in stock', async () => {
    const [parent, child] = [name(), name()]
    const { id: parentId } = await stored({ external_id: parent, is_parent: true })
    const { id } = await stored({ external_id: child, availability: 'OutOfStock' })
    const linked = await patched(id, { parent_external_id: parent, is_variant: true })
    assert.equal(linked.parent_product_id, parentId)
    await patched(id, { availability: 'InStock' })
    assert.equal((await columns(parentId)).variants_availability, 'InStock')
    assert.equal((await patched(id, { title: 'Still a variant' })).parent_product_id, parentId)
    assert.equal((await patched(id, { parent_external_id: null })).parent_product_id, null)
    assert.equal((await columns(parentId)).variants_availability, null)
  })

  test('vectors are made again only for texts that a patch changes', async () => {
    const { id } = await stored({ external_id: name(), title: 'Drill', description: 'For wood' })
    const vectors = async () =>
      (
        await service.database.queries.selectFrom('product_vectors').selectAll().where('product_id', '=', id).execute()
      )[0]
    const before = await vectors()
    await patched(id, { price_current: '1', brand: 'B' })
    assert.deepEqual(await vectors(), before)
    await patched(id, { description: 'For a very different purpose: music' })
    assert.notDeepEqual((await vectors()).vectors, before.vectors)
  })

  test('a product without external_id is patched by its id, and gets none', async () => {
    const { id } = await stored()
    assert.equal((await patched(id, { brand: 'B', external_id: null })).brand, 'B')
    assert.deepEqual(faults(await patch(id, { external_id: 'new' })), [422, 'immutable_field body.external_id'])
  })

  test('all faults are reported together, those of fields that have to agree by the merged product', async () => {
    const external_id = name()
    const { id } = await stored({ external_id, price_special_from: '2026-05-01T00:00:00Z' })
    const until = '2026-04-01T00:00:00Z'
    assert.deepEqual(faults(await patch(id, { price_special_until: until })), [
      422,
      'value_error body.price_special_until',
    ])
    const many = {
      external_id: 'x',
      title: null,
      price_current: -1,
      price_special_until: until,
      parent_external_id: external_id,
    }
    const expected = [
      422,
      'string_type body.title',
      'immutable_field body.external_id',
      'greater_than_equal body.price_current',
      'value_error body.price_special_until',
    ]
    assert.deepEqual(faults(await patch(id, many)), expected)
    assert.deepEqual(faults(await patchNamed(external_id, many)), expected)
    assert.deepEqual(faults(await patch(id, { parent_external_id: external_id })), [
      422,
      'value_error body.parent_external_id',
    ])
    for (const body of ['null', '[]', '"text"'])
      assert.deepEqual(faults(await patch(id, body)), [422, 'dict_type body'], body)
    assert.equal((await read(id)).version, 1)
  })

  test('an unknown product is not found, and an unknown site is a fault of the query', async () => {
    const external_id = name()
    const { id } = await stored({ external_id })
    assert.deepEqual(faults(await patch(UNKNOWN, {})), [404, 'not_found path.product_id'])
    assert.deepEqual(faults(await patchNamed('nobody', {})), [404, 'not_found path.external_id'])
    assert.deepEqual(faults(await patchNamed(external_id, {}, await newSite())), [404, 'not_found path.external_id'])
    assert.deepEqual(faults(await patchNamed(external_id, {}, 'nowhere')), [422, 'reference_not_found query.site_id'])
    assert.deepEqual(faults(await service.call('PATCH', `${PRODUCTS}/by-external-id/x`, { body: {} })), [
      422,
      'missing query.site_id',
    ])
    const tenant = await service.tenant('elsewhere')
    const { key } = await service.user({ tenant, email: 'patch@b.example' })
    assert.equal((await patch(id, {}, { key })).status, 404)
  })

  test('If-Match keeps a patch from overwriting a change by somebody else', async () => {
    const external_id = name()
    const { id } = await stored({ external_id })
    const first = `"1-${id}"`
    assert.equal((await patch(id, { brand: 'A' }, { headers: { 'if-match': first } })).status, 200)
    for (const answer of [
      await patch(id, { brand: 'B' }, { headers: { 'if-match': first } }),
      await patchNamed(external_id, { brand: 'B' }, 'default', { 'if-match': first }),
    ])
      assert.deepEqual(faults(answer), [412, 'precondition_failed header.if-match'])
    assert.equal((await read(id)).brand, 'A')
    assert.equal((await patched(id, { brand: 'C' }, { 'if-match': '*' })).brand, 'C')
    const key = await service.key(['products:write'])
    const guess = await patch(id, { brand: 'D' }, { key, headers: { 'if-match': first } })
    assert.deepEqual(faults(guess), [403, 'forbidden header.if-match'])
  })

  test('a patch needs products:write, and its audit record is that of a change', async () => {
    const { id } = await stored({ external_id: name() })
    const [reader, writer] = [await service.key(['products:read']), await service.key(['products:write'])]
    assert.equal((await patch(id, { brand: 'A' }, { key: reader })).status, 403)
    const answer = await patch(id, { brand: 'A' }, { key: writer })
    assert.deepEqual([answer.status, answer.body.brand], [200, 'A'])
    await patched(id, { brand: 'A' })
    assert.deepEqual(await auditedActions(service.database.queries, id), ['create', 'update'])
  })

  test('other routes take no merge patch, and this one no other type', async () => {
    const { id } = await stored({ external_id: name() })
    const post = await service.call('POST', `${PRODUCTS}?site_id=default`, {
      body: { title: 'T' },
      headers: MERGE_PATCH,
    })
    assert.deepEqual(faults(post), [415, 'unsupported_media_type header.content-type'])
    for (const type of ['application/json-patch+json', 'application/merge-patch+json; charset=latin1', 'text/plain'])
      assert.equal((await patch(id, '{}', { headers: { 'content-type': type } })).status, 415, type)
    const utf8 = { 'content-type': 'application/merge-patch+json; charset=utf-8' }
    assert.equal((await patched(id, { brand: 'ü' }, utf8)).brand, 'ü')
  })

  test('two patches of different fields at the same moment both count', async () => {
    const { id } = await stored({ external_id: name() })
    const fields = ['brand', 'sku', 'category', 'availability', 'description', 'image_url']
    await Promise.all(fields.map((field) => patched(id, { [field]: field })))
    const after = await read(id)
    for (const field of fields) assert.equal(after[field], field)
    assert.equal(after.version, fields.length + 1)
  })
})
