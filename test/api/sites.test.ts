import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { onEachDatabase } from '../support/databases.ts'
import type { TestService } from '../support/service.ts'
import { joinService } from '../support/shared-service.ts'

const SITES = '/api/knowledge/sites'
const ENTRIES = '/api/knowledge/knowledge-entries'
const PRODUCTS = '/api/knowledge/products'
const UNKNOWN = '00000000-0000-7000-8000-000000000000'

onEachDatabase('sites', (kind) => {
  let service: TestService
  let category: string
  let defaultId: string
  let slugs = 0
  before(async () => {
    service = await joinService(kind)
    category = await service.category()
    defaultId = (await service.call('GET', SITES)).body[0].id
  })
  after(() => service.stop())

  const site = async (fields: object = {}, key = service.adminKey) => {
    const answer = await service.call('POST', SITES, {
      key,
      body: { slug: `site-${++slugs}`, name: 'Shop', ...fields },
    })
    assert.equal(answer.status, 201, JSON.stringify(answer.body))
    return answer.body
  }
  const entry = async (fields: object = {}) => {
    const body = { title: 'Okapi', content: 'Okapi', category_id: category, ...fields }
    return (await service.call('POST', ENTRIES, { body })).body.id as string
  }
  const idsIn = async (siteId: string, key?: string) => {
    const query = { query: 'Okapi', mode: 'keyword', site_id: siteId, limit: 100 }
    const search = await service.call('POST', `${ENTRIES}/search`, { key, body: query })
    const list = await service.call('GET', `${ENTRIES}?site_id=${siteId}`, { key })
    const knowledge = await service.call('GET', `${SITES}/${siteId}/knowledge`, { key })
    const ids = (rows: { id: string }[]) => rows.map((row) => row.id).sort()
    assert.deepEqual(ids(list.body), ids(knowledge.body))
    assert.deepEqual(ids(search.body.map((hit: { entry: { id: string } }) => hit.entry)), ids(knowledge.body))
    return ids(knowledge.body)
  }
  const faults = (answer: { body: { detail: { loc: string[]; type: string }[] } }) =>
    answer.body.detail.map(({ loc, type }) => [loc.join('.'), type])
  const defaults = async () =>
    (await service.call('GET', SITES)).body.filter((row: { is_default: boolean }) => row.is_default)

  test('every tenant begins with a default site', async () => {
    const { id, created_at, ...rest } = (await service.call('GET', SITES)).body[0]
    assert.deepEqual(rest, {
      tenant_id: service.tenantId,
      slug: 'default',
      name: 'Default',
      domain: null,
      language: 'de',
      site_type: 'website',
      platform: null,
      config: {},
      is_default: true,
    })
    assert.match(id, /^[0-9a-f]{8}-[0-9a-f]{4}-7/)
    assert.match(created_at, /Z$/)
    const tenant = await service.tenant('second')
    const other = await service.user({ tenant, email: 'a@b.example' })
    const { body } = await service.call('GET', SITES, { key: other.key })
    assert.deepEqual([body.length, body[0].slug, body[0].is_default], [1, 'default', true])
    for (const method of ['GET', 'DELETE']) {
      assert.equal((await service.call(method, `${SITES}/${id}`, { key: other.key })).status, 404)
    }
  })

  test('a site is created, read, listed, changed and deleted', async () => {
    const fields = {
      slug: 'the-shop',
      name: 'Shop',
      domain: 'shop.example',
      language: 'en',
      site_type: 'shop',
      platform: 'shopware',
      config: { a: { b: [1, null] } },
    }
    const created = await service.call('POST', SITES, { body: fields })
    assert.equal(created.status, 201)
    const path = `${SITES}/${created.body.id}`
    assert.equal(created.headers.get('location'), path)
    assert.deepEqual({ ...created.body, ...fields, is_default: false }, created.body)
    assert.deepEqual((await service.call('GET', path)).body, created.body)
    const changed = await service.call('PATCH', path, { body: { name: 'New', domain: null, config: {} } })
    assert.deepEqual(changed.body, { ...created.body, name: 'New', domain: null, config: {} })
    assert.equal((await service.call('DELETE', path)).status, 204)
    for (const method of ['GET', 'PATCH', 'DELETE'])
      assert.equal((await service.call(method, path, method === 'PATCH' ? { body: {} } : {})).status, 404)
  })

  test('a site may be given the slug that it has', async () => {
    const { id } = await site({ slug: 'taken' })
    assert.equal((await service.call('PATCH', `${SITES}/${id}`, { body: { slug: 'taken' } })).status, 200)
  })

  test('exactly one site is the default, even when several requests ask at once', async () => {
    const created = await site({ is_default: true })
    assert.deepEqual(
      (await defaults()).map((row: { id: string }) => row.id),
      [created.id],
    )
    const ids = await Promise.all(Array.from({ length: 6 }, async () => (await site()).id as string))
    const asks = ids.map((id) => service.call('PATCH', `${SITES}/${id}`, { body: { is_default: true } }))
    assert.deepEqual(new Set((await Promise.all(asks)).map(({ status }) => status)), new Set([200]))
    const [only, ...more] = await defaults()
    assert.equal(more.length, 0)
    const away = await service.call('PATCH', `${SITES}/${only.id}`, { body: { is_default: false } })
    assert.deepEqual([away.status, faults(away)], [422, [['body.is_default', 'value_error']]])
    assert.equal((await service.call('DELETE', `${SITES}/${only.id}`)).status, 409)
    await service.call('PATCH', `${SITES}/${defaultId}`, { body: { is_default: true } })
    assert.equal((await service.call('DELETE', `${SITES}/${only.id}`)).status, 204)
  })

  test('a site can be deleted once it has neither products nor entries', async () => {
    const { id, slug } = await site()
    const id2 = await entry()
    await service.call('POST', `${SITES}/${id}/knowledge`, { body: { entry_ids: [id2] } })
    const body = { title: 'P', language: 'de' }
    const product = await service.call('POST', `${PRODUCTS}?site_id=${slug}`, { body })
    assert.equal((await service.call('DELETE', `${SITES}/${id}`)).status, 409)
    await service.call('DELETE', `${PRODUCTS}/${product.body.id}`)
    assert.equal((await service.call('DELETE', `${SITES}/${id}`)).status, 409)
    await service.call('DELETE', `${SITES}/${id}/knowledge`)
    assert.equal((await service.call('DELETE', `${SITES}/${id}`)).status, 204)
    assert.equal((await service.call('GET', `${ENTRIES}/${id2}`)).status, 200)
  })

  test('adding keeps the existing entries, setting replaces them, and search follows at once', async () => {
    const { id } = await site()
    const [a, b, c] = [await entry(), await entry(), await entry()]
    const path = `${SITES}/${id}/knowledge`
    const send = async (method: string, ids: string[]) => {
      const answer = await service.call(method, path, { body: { entry_ids: ids } })
      assert.deepEqual([answer.status, answer.body.site_id], [200, id])
      return [answer.body.added, answer.body.removed, answer.body.total]
    }
    assert.deepEqual(await send('POST', [a, b, a]), [2, 0, 2])
    assert.deepEqual(await idsIn(id), [a, b].sort())
    assert.deepEqual(await send('POST', [b, c]), [1, 0, 3])
    assert.deepEqual(await send('PUT', [c]), [0, 2, 1])
    assert.deepEqual(await idsIn(id), [c])
    assert.equal((await service.call('DELETE', `${path}/${c}`)).status, 204)
    assert.equal((await service.call('DELETE', `${path}/${c}`)).status, 404)
    assert.deepEqual(await idsIn(id), [])
    assert.deepEqual(await send('PUT', [a, b]), [2, 0, 2])
    assert.equal((await service.call('DELETE', path)).status, 204)
    assert.deepEqual(await idsIn(id), [])
    assert.equal((await service.call('GET', `${SITES}/${UNKNOWN}/knowledge`)).status, 404)
    assert.equal(
      (await service.call('POST', `${SITES}/${UNKNOWN}/knowledge`, { body: { entry_ids: [a] } })).status,
      404,
    )
  })

  test('one unknown or invisible entry fails the whole call, reported at its place', async () => {
    const { id } = await site()
    const [visible, hidden] = [await entry({ visibility: 'public' }), await entry({ visibility: 'restricted' })]
    const key = await service.key(['sites:write', 'sites:read', 'knowledge:read', 'visibility:public'])
    for (const bad of [UNKNOWN, hidden]) {
      const answer = await service.call('PUT', `${SITES}/${id}/knowledge`, { key, body: { entry_ids: [visible, bad] } })
      assert.deepEqual([answer.status, faults(answer)], [422, [['body.entry_ids.1', 'reference_not_found']]])
    }
    assert.deepEqual(await idsIn(id), [])
  })

  test('a caller adds, removes and sees only entries within its ceiling', async () => {
    const { id } = await site()
    const [hidden, open] = [await entry({ visibility: 'restricted' }), await entry({ visibility: 'public' })]
    const path = `${SITES}/${id}/knowledge`
    await service.call('PUT', path, { body: { entry_ids: [hidden] } })
    const key = await service.key(['sites:write', 'sites:read', 'knowledge:read', 'visibility:internal'])
    const answer = await service.call('PUT', path, { key, body: { entry_ids: [open] } })
    assert.deepEqual(answer.body, { site_id: id, added: 1, removed: 0, total: 1 })
    assert.deepEqual(await idsIn(id, key), [open])
    assert.deepEqual(await idsIn(id), [hidden, open].sort())
    assert.equal((await service.call('DELETE', `${path}/${hidden}`, { key })).status, 404)
    assert.equal((await service.call('DELETE', path, { key })).status, 204)
    assert.deepEqual(await idsIn(id), [hidden])
  })

  test('the entries of a site come in pages without gaps or duplicates', async () => {
    const { id } = await site()
    const ids = []
    for (let i = 0; i < 5; i++) ids.push(await entry())
    await service.call('PUT', `${SITES}/${id}/knowledge`, { body: { entry_ids: ids } })
    const walked: string[] = []
    let next: string | null = `${SITES}/${id}/knowledge?limit=2`
    while (next !== null) {
      const answer = await service.call('GET', next)
      walked.push(...answer.body.map((row: { id: string }) => row.id))
      const link = answer.headers.get('link')
      next = link === null ? null : /<[^>]*?(\/api[^>]*)>/.exec(link)![1]
    }
    assert.deepEqual(walked, ids.toReversed())
  })

  test('sites are read with sites:read and written with sites:write', async () => {
    const reader = await service.key(['sites:read', 'knowledge:read'])
    const path = `${SITES}/${defaultId}`
    assert.equal((await service.call('GET', SITES, { key: reader })).status, 200)
    const refused = [
      await service.call('POST', SITES, { key: reader, body: { slug: 'no', name: 'No' } }),
      await service.call('PATCH', path, { key: reader, body: { name: 'No' } }),
      await service.call('DELETE', path, { key: reader }),
      await service.call('PUT', `${path}/knowledge`, { key: reader, body: { entry_ids: [UNKNOWN] } }),
      await service.call('GET', SITES, { key: await service.key(['knowledge:read']) }),
    ]
    assert.deepEqual(
      refused.map(({ status }) => status),
      [403, 403, 403, 403, 403],
    )
  })
})
