import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { changeUser } from '../../src/identity/administration/end-access.ts'
import { createTenant } from '../../src/composition/new-tenant.ts'
import { issueApiKey } from '../../src/identity/api-keys/rules.ts'
import { onAnyDatabase } from '../support/databases.ts'
import { type Answer, type Call, TestService } from '../support/service.ts'
import { found } from '../support/patience.ts'

const KEYS = '/api/knowledge/api-keys'
const PUBLISHABLE = `${KEYS}/publishable`
const ENTRIES = '/api/knowledge/knowledge-entries'
const SHOP = 'https://shop.example'
const ELSEWHERE = 'https://elsewhere.example'
/** Requests that pages may make with a publishable key: method, path and an address or body that is answered. */
const OPEN = [
  ['POST', '/api/knowledge/search', { query: 'Lampe' }],
  ['POST', '/api/knowledge/products/search', { query: 'Lampe' }],
  ['POST', `${ENTRIES}/search`, { query: 'Lampe' }],
  [
    'POST',
    '/api/knowledge/search/clicks',
    { search_log_id: 'x', action: 'click', product_id: 'y', section: 'products' },
  ],
  ['GET', '/api/knowledge/suggest', null],
] as const

onAnyDatabase('publishable keys', (kind) => {
  let service: TestService
  let key: string
  before(async () => {
    service = await TestService.start(kind)
    for (const slug of ['lamps', 'tools']) {
      await service.call('POST', '/api/knowledge/sites', { body: { slug, name: slug, language: 'de' } })
      const product = { title: `Lampe von ${slug}`, language: 'de', brand: slug }
      const { status } = await service.call('POST', `/api/knowledge/products?site_id=${slug}`, { body: product })
      assert.equal(status, 201)
    }
    const category_id = await service.category()
    for (const visibility of ['public', 'internal']) {
      const entry = { title: `Lampe ${visibility}`, content: 'Über Lampen', category_id, visibility }
      assert.equal((await service.call('POST', ENTRIES, { body: entry })).status, 201)
    }
    key = (await make()).body.key
  })
  after(() => service.stop())

  const make = (more: object = {}, call: Call = {}): Promise<Answer> =>
    service.call('POST', PUBLISHABLE, {
      ...call,
      body: { name: 'Page', origins: [SHOP], sections: ['products', 'knowledge'], ...more },
    })
  const ask = (method: string, path: string, call: Call): Promise<Answer> =>
    service.call(method, path === '/api/knowledge/suggest' ? `${path}?q=Lam` : path, call)
  const faults = ({ status, body }: Answer) =>
    `${status} ${body.detail.map(({ loc, type }: { loc: string[]; type: string }) => `${loc.join('.')} ${type}`).join()}`
  const searched = async (path: string, key: string, body: object): Promise<string[]> => {
    const answer = await service.call('POST', path, { key, body: { query: 'Lampe', mode: 'keyword', ...body } })
    assert.equal(answer.status, 200, JSON.stringify(answer.body))
    const hits: { entry?: { title: string }; product?: { title: string } }[] = answer.body.hits ?? answer.body
    return hits.map(({ entry, product }) => (entry ?? product)!.title).sort()
  }

  test('a key is issued for pages, shown once, listed with what it is bound to, and refused when revoked', async () => {
    const { body: site } = await service.call('GET', '/api/knowledge/sites')
    const lamps = site.find((each: { slug: string }) => each.slug === 'lamps').id
    const { status, headers, body } = await make({
      origins: ['HTTPS://Shop.example:443/', SHOP],
      sites: ['lamps', lamps],
    })
    assert.deepEqual([status, headers.get('cache-control')], [201, 'no-store'])
    const { key: secret, ...details } = body
    assert.match(secret, /^pk_[0-9A-Za-z]{40}$/)
    assert.deepEqual(details.publishable, { origins: [SHOP], sections: ['products', 'knowledge'], sites: [lamps] })
    assert.deepEqual(details.scopes, ['products:read', 'knowledge:read', 'search:log'])
    const { body: listed } = await service.call('GET', KEYS)
    assert.deepEqual(
      listed.find((each: { id: string }) => each.id === details.id),
      details,
    )
    assert.ok(!JSON.stringify(listed).includes(secret))
    const plain = listed.filter((each: object) => !('publishable' in each))
    assert.ok(plain.length > 0, 'the answer of other keys keeps its shape')
    const works = async () => (await ask('GET', '/api/knowledge/suggest', { key: secret })).status
    assert.equal(await works(), 200)
    assert.equal((await service.call('DELETE', `${KEYS}/${details.id}`)).status, 204)
    assert.equal(await works(), 401)
    const rows = await service.database.queries
      .selectFrom('api_keys')
      .select(['hash', 'hint'])
      .where('id', '=', details.id)
      .execute()
    assert.deepEqual([rows.length, rows[0].hint], [1, secret.slice(0, 7)])
    assert.ok(!rows[0].hash.includes(secret.slice(3)))
  })

  test('pages of its origins alone may use the key, on its routes alone, and read the answers, refusals included', async () => {
    for (const [method, path, body] of OPEN) {
      const from = (origin: string, more: Call = {}) =>
        ask(method, path, { key, body: body ?? undefined, headers: { origin }, ...more })
      const here = await from(SHOP)
      assert.ok(here.status < 300, `${path}: ${JSON.stringify(here.body)}`)
      assert.equal(here.headers.get('access-control-allow-origin'), SHOP, path)
      assert.match(here.headers.get('access-control-expose-headers')!, /X-Search-Log-Id.*Retry-After/)
      assert.equal(here.headers.get('vary'), 'Origin')
      assert.equal(here.headers.get('access-control-allow-credentials'), null)
      for (const origin of [ELSEWHERE, 'http://shop.example', `${SHOP}.elsewhere.example`, 'null', '']) {
        const refused = await from(origin)
        assert.equal(faults(refused), '403 header.origin forbidden', `${path} from ${origin}`)
        assert.equal(refused.headers.get('access-control-allow-origin'), null)
      }
      const server = await ask(method, path, { key, body: body ?? undefined })
      assert.ok(server.status < 300, 'a program that is no browser sends no origin')
      assert.equal(server.headers.get('access-control-allow-origin'), null)
      const secret = await from(SHOP, { key: service.adminKey })
      assert.equal(secret.headers.get('access-control-allow-origin'), null, 'answers to other keys are not for pages')
      if (body === null) continue
      const faulty = await from(SHOP, { body: { query: 5, search_log_id: 5 } })
      assert.deepEqual([faulty.status, faulty.headers.get('access-control-allow-origin')], [422, SHOP], path)
    }
    const body = { query: 'Lampe', explain: true }
    const headers = { origin: SHOP, 'accept-encoding': 'gzip' }
    const long = await ask('POST', '/api/knowledge/products/search', { key, body, headers })
    assert.equal(long.headers.get('vary'), 'Origin, Accept-Encoding', 'a compressed answer names both')
    const closed = await service.call('GET', ENTRIES, { key, headers: { origin: SHOP } })
    assert.equal(faults(closed), '403 header.authorization forbidden')
    assert.equal(closed.headers.get('access-control-allow-origin'), null)
    const ping = { jsonrpc: '2.0', id: 1, method: 'ping' }
    const accept = 'application/json, text/event-stream'
    assert.equal((await service.call('POST', '/mcp', { key, body: ping, headers: { accept } })).status, 403)
  })

  test('a preflight is answered for origins of valid keys, on their routes, and for nothing else', async () => {
    const preflight = (path: string, origin: string | undefined, more: Record<string, string> = {}) =>
      service.call('OPTIONS', path, {
        key: null,
        headers: {
          ...(origin === undefined ? {} : { origin }),
          'access-control-request-method': 'POST',
          'access-control-request-headers': 'authorization,content-type',
          ...more,
        },
      })
    for (const [method, path] of OPEN) {
      const { status, headers } = await preflight(path, SHOP)
      assert.equal(status, 204, path)
      assert.deepEqual(
        ['origin', 'methods', 'headers'].map((name) => headers.get(`access-control-allow-${name}`)),
        [SHOP, method, 'Authorization, Content-Type, Accept-Language, Prefer, X-Min-Watermark'],
      )
      assert.deepEqual([headers.get('vary'), headers.get('access-control-max-age')], ['Origin', '7200'])
      for (const origin of [ELSEWHERE, 'null', undefined]) {
        const refused = await preflight(path, origin)
        assert.equal(faults(refused), '403 header.origin forbidden')
        assert.equal(refused.headers.get('access-control-allow-origin'), null)
      }
    }
    for (const path of [ENTRIES, KEYS, '/api/knowledge/analytics/search', '/api/session']) {
      assert.equal((await preflight(path, SHOP)).status, 405, path)
    }
    const briefly = await make({ origins: ['https://brief.example'] })
    const [, path] = OPEN[0]
    assert.equal((await preflight(path, 'https://brief.example')).status, 204)
    await service.call('DELETE', `${KEYS}/${briefly.body.id}`)
    assert.equal((await preflight(path, 'https://brief.example')).status, 403)
  })

  test('a preflight is answered for keys of the tenants at its host alone', async () => {
    await createTenant(service.database, { id: 'hosted', name: 'Hosted', host: 'kb.hosted.example' })
    const origin = 'https://hosted.example'
    const publishable = { sites: null, sections: ['knowledge'] as const, origins: [origin] }
    const pageKey = {
      name: 'page',
      scopes: ['knowledge:read', 'search:log'],
      userId: null,
      expiresAt: null,
      publishable,
    }
    await issueApiKey(service.database, 'hosted', pageKey)
    const at = async (host: string | null, from: string) => {
      const headers = { origin: from, ...(host === null ? {} : { host }) }
      return (await service.call('OPTIONS', OPEN[0][1], { key: null, headers })).status
    }
    assert.deepEqual(await Promise.all([at('kb.hosted.example', origin), at(null, origin)]), [204, 403])
    assert.deepEqual(await Promise.all([at('kb.hosted.example', SHOP), at(null, SHOP)]), [403, 204])
  })

  test('the key may stand in the address of a GET, which then needs no preflight; no other key may', async () => {
    const path = `/api/knowledge/suggest?q=Lam&publishable_key=`
    const from = (address: string, headers = {}) =>
      service.call('GET', address, { key: null, headers: { origin: SHOP, ...headers } })
    const { status, headers, body } = await from(path + key)
    assert.deepEqual([status, headers.get('access-control-allow-origin')], [200, SHOP])
    assert.ok(body.products.length > 0)
    assert.equal((await from(path + service.adminKey)).status, 401)
    assert.equal((await from(`${path}pk_${'0'.repeat(40)}`)).status, 401)
    assert.equal((await from(path + key, { origin: ELSEWHERE })).status, 403)
    assert.equal((await from(`${ENTRIES}?publishable_key=${key}`)).status, 401, 'only where the key may be used')
  })

  test('a visitor sees what is public, in the sections and on the sites of the key', async () => {
    const products = '/api/knowledge/products/search'
    assert.deepEqual(await searched(`${ENTRIES}/search`, key, {}), ['Lampe public'])
    assert.deepEqual(await searched(products, key, {}), ['Lampe von lamps', 'Lampe von tools'])
    const { key: ofLamps } = (await make({ sections: ['products'], sites: ['lamps'] })).body
    assert.deepEqual(await searched(products, ofLamps, {}), ['Lampe von lamps'])
    assert.deepEqual(await searched(products, ofLamps, { site_id: 'lamps' }), ['Lampe von lamps'])
    const other = await service.call('POST', products, { key: ofLamps, body: { query: 'Lampe', site_id: 'tools' } })
    assert.equal(faults(other), '422 body.site_id reference_not_found')
    const closed = await service.call('POST', `${ENTRIES}/search`, { key: ofLamps, body: { query: 'Lampe' } })
    assert.equal(faults(closed), '403 header.authorization forbidden')
    const { body } = await service.call('POST', '/api/knowledge/search', { key: ofLamps, body: { query: 'Lampe' } })
    assert.deepEqual(
      body.sections.map(({ section, hits }: { section: string; hits: object[] }) => [section, hits.length]),
      [['products', 1]],
    )
    const { key: ofBoth } = (await make({ sections: ['products'], sites: ['lamps', 'tools'] })).body
    assert.deepEqual(await searched(products, ofBoth, {}), ['Lampe von lamps', 'Lampe von tools'])
    const { key: ofDefault } = (await make({ sites: ['default'] })).body
    assert.deepEqual(await searched(`${ENTRIES}/search`, ofDefault, {}), [], 'the entry is on no site')
  })

  test('a key is not issued for more than its issuer may read, for an origin that is none, or for a site that does not exist', async () => {
    const poor = await service.key(['tenant:admin', 'knowledge:read', 'search:log'])
    assert.equal(faults(await make({}, { key: poor })), '403 body.sections.0 forbidden')
    assert.equal((await make({ sections: ['knowledge'] }, { key: poor })).status, 201)
    const silent = await service.key(['tenant:admin', 'knowledge:read'])
    assert.equal(faults(await make({ sections: ['knowledge'] }, { key: silent })), '403 header.authorization forbidden')
    assert.equal((await make({}, { key: await service.key(['products:read', 'search:log']) })).status, 403)
    const odd = [
      `${SHOP}/path`,
      `${SHOP}?a`,
      'https://a:b@shop.example',
      'ftp://shop.example',
      'shop.example',
      '********',
    ]
    assert.equal(
      faults(await make({ origins: [SHOP, ...odd], sites: ['lamps', 'nowhere'] })),
      `422 ${odd.map((_, i) => `body.origins.${i + 1} value_error`).join()},body.sites.1 reference_not_found`,
    )
    assert.equal(faults(await make({ origins: undefined })), '422 body.origins missing')
    assert.equal(faults(await make({ origins: [] })), '422 body.origins too_short')
    assert.equal(faults(await make({ sections: undefined })), '422 body.sections missing')
    assert.equal(faults(await make({ expires_at: '2020-01-01T00:00:00Z' })), '422 body.expires_at value_error')
    assert.equal(faults(await make({}, { key })), '403 header.authorization forbidden')
  })

  test('a key ends with the user of the key that issued it, and its visitors are not that user', async () => {
    const admin = await service.user({ email: 'maker@x', role: 'admin' })
    const { body } = await make({}, { key: admin.key })
    assert.equal(body.user.email, 'maker@x')
    const visitorId = 'somebody in a browser'
    const answer = await service.call('POST', `${ENTRIES}/search`, {
      key: body.key,
      body: { query: 'Lampe', visitor_id: visitorId },
    })
    const id = answer.headers.get('x-search-log-id')!
    const row = await logged(id)
    assert.equal(row.user_id, null)
    assert.notEqual(row.visitor, null, 'a visitor of a page is told apart by the visitor_id')
    await changeUser(service.database, service.tenantId, admin.userId, { disabled: true })
    assert.equal((await ask('GET', '/api/knowledge/suggest', { key: body.key })).status, 401)
  })

  test('an address that asks too often is refused until later, and no other address with it', async () => {
    const bounded = await service.sibling({ RATE_LIMIT_PUBLISHABLE_PER_MINUTE: '3', TRUST_PROXY: 'true' })
    const from = (address: string, more: Call = {}) =>
      service.call(
        'GET',
        '/api/knowledge/suggest?q=La',
        { key, ...more, headers: { origin: SHOP, 'x-forwarded-for': address } },
        bounded.url,
      )
    for (let i = 0; i < 3; i++) assert.equal((await from('198.51.100.1')).status, 200)
    const refused = await from('198.51.100.1')
    assert.equal(faults(refused), '429 header.authorization rate_limited')
    assert.equal(refused.headers.get('access-control-allow-origin'), SHOP, 'the page can read when to try again')
    assert.ok(Number(refused.headers.get('retry-after')) > 0)
    assert.equal((await from('198.51.100.2')).status, 200)
    assert.equal((await from('198.51.100.1', { key: service.adminKey })).status, 200)
    await bounded.stop()
  })

  test('a request counts as often as it searches: by section, and by each facet of a field that its filter chooses', async (t) => {
    const limits = { RATE_LIMIT_PUBLISHABLE_PER_MINUTE: '10', RATE_LIMIT_PER_MINUTE: '10' }
    const bounded = await service.sibling(limits)
    t.after(() => bounded.stop())
    const post = (path: string, body: object, by: string) => service.call('POST', path, { key: by, body }, bounded.url)
    const chosen = ['brand', 'language', 'attributes.colour', 'availability', 'category', 'site_id']
    const rich = {
      query: 'Lampe',
      mode: 'keyword',
      products: {
        facets: chosen.map((field) => ({ field })),
        filter: { not: { any: [] } },
      },
    }
    const narrowed = {
      ...rich,
      products: { ...rich.products, filter: { all: chosen.slice(0, 5).map((field) => ({ field, exists: false })) } },
    }
    // Two sections, of one of which five facets are counted anew: seven of ten.
    assert.equal((await post('/api/knowledge/search', narrowed, key)).status, 200)
    assert.equal((await post('/api/knowledge/search', rich, key)).status, 200, 'nothing is chosen: two')
    const refused = await post('/api/knowledge/search', rich, key)
    assert.equal(faults(refused), '429 header.authorization rate_limited')
    const [wholeKey, otherKey] = [
      await service.key(['knowledge:read', 'products:read']),
      await service.key(['knowledge:read']),
    ]
    const facets = { facets: [{ field: 'language' }], filter: { field: 'language', any_of: ['de'] } }
    const several = (count: number) => ({
      searches: Array.from({ length: count }, () => ({ query: 'Lampe', mode: 'keyword', knowledge: facets })),
    })
    assert.equal((await post('/api/knowledge/multi-search', several(4), wholeKey)).status, 200)
    assert.equal((await post('/api/knowledge/multi-search', several(4), wholeKey)).status, 429)
    assert.equal(
      (await post('/api/knowledge/multi-search', several(20), otherKey)).status,
      200,
      'once, and paid for later',
    )
    const later = await post(`${ENTRIES}/search`, { query: 'Lampe', mode: 'keyword' }, otherKey)
    assert.equal(later.status, 429)
    assert.ok(Number(later.headers.get('retry-after')) > 40, 'ten more than a minute has are paid for')
  })

  test('a page chooses few facets at once, and the first too many is named', async () => {
    const facets = Array.from({ length: 7 }, (_, i) => ({ field: `attributes.a${i}` }))
    const filter = { all: facets.map(({ field }) => ({ field, exists: true })) }
    const ask = (by: string) =>
      service.call('POST', '/api/knowledge/search', {
        key: by,
        body: { query: 'Lampe', products: { facets, filter }, sections: ['products'] },
      })
    assert.equal(faults(await ask(key)), '422 body.products.facets.6.field too_many_chosen')
    assert.equal((await ask(service.adminKey)).status, 200)
  })

  test('a visitor gets the public fields of entries and products alone, and may not ask about others', async () => {
    const privateFields = { tenant_id: service.tenantId, sync_hash: 'abc', metadata: { secret: 'price list' } }
    const leaks = (text: string) => Object.entries(privateFields).filter(([name]) => text.includes(name))
    const both = await service.call('POST', '/api/knowledge/search', { key, body: { query: 'Lampe' } })
    const [products, knowledge] = both.body.sections
    const entryFields =
      'category_id content created_at id language layer summary tags title translation_group_id type updated_at'
    assert.equal(Object.keys(knowledge.hits[0].entry).sort().join(' '), entryFields)
    const productFields = Object.keys(products.hits[0].product)
    const privateOnes = [
      'tenant_id',
      'source',
      'sync_hash',
      'last_synced_at',
      'search_keywords',
      'has_similarity_anchor',
    ]
    for (const name of privateOnes) assert.ok(!productFields.includes(name), name)
    assert.ok(productFields.includes('price_effective') && productFields.includes('attributes'))
    for (const [path, body] of [
      [`${ENTRIES}/search`, { query: 'Lampe' }],
      [`${ENTRIES}/search`, { query: 'Lampe', explain: true, include_category_path: true }],
      ['/api/knowledge/products/search', { query: 'Lampe' }],
      ['/api/knowledge/products/search', { query: 'Lampe', explain: true }],
      ['/api/knowledge/search', { query: 'Lampe', excerpt: {} }],
    ] as const) {
      const { status, body: answer } = await service.call('POST', path, { key, body })
      assert.equal(status, 200)
      assert.deepEqual(leaks(JSON.stringify(answer)), [], path)
    }
    const suggested = await service.call('GET', '/api/knowledge/suggest?q=Lam&section=products&section=knowledge', {
      key,
    })
    assert.equal(Object.keys(suggested.body.products[0]).sort().join(' '), 'brand id image_url product_url title')
    assert.equal(Object.keys(suggested.body.entries[0]).sort().join(' '), 'category_id id language title type')

    const refusals: [string, object, string][] = [
      [`${ENTRIES}/search`, { fields: ['title', 'metadata'] }, '422 body.fields.1 private_field'],
      [`${ENTRIES}/search`, { fields: ['title', 'nonsense'] }, '422 body.fields.1 enum'],
      ['/api/knowledge/products/search', { fields: ['sync_hash', 'id'] }, '422 body.fields.0 private_field'],
      ['/api/knowledge/search', { products: { fields: ['tenant_id'] } }, '422 body.products.fields.0 private_field'],
      [
        '/api/knowledge/search',
        { knowledge: { fields: ['created_by_user_id'] } },
        '422 body.knowledge.fields.0 private_field',
      ],
      [`${ENTRIES}/search`, { filter: { field: 'metadata.secret', exists: true } }, '422 body.filter.field enum'],
      [`${ENTRIES}/search`, { sort: { field: 'metadata.secret' } }, '422 body.sort.field enum'],
      [
        '/api/knowledge/search',
        { knowledge: { facets: [{ field: 'metadata.secret' }] } },
        '422 body.knowledge.facets.0.field enum',
      ],
      [
        '/api/knowledge/search',
        { knowledge: { facets: [{ field: 'project_id' }] } },
        '422 body.knowledge.facets.0.field enum',
      ],
    ]
    for (const [path, body, expected] of refusals) {
      const request = { query: 'Lampe', ...body }
      assert.equal(faults(await service.call('POST', path, { key, body: request })), expected)
      if (!expected.includes('fields.1 enum')) {
        assert.equal((await service.call('POST', path, { body: request })).status, 200, 'other keys may')
      }
    }
    const chosen = await service.call('POST', `${ENTRIES}/search`, { key, body: { query: 'Lampe', fields: ['title'] } })
    assert.deepEqual(chosen.body[0].entry, { title: 'Lampe public' })
  })

  test('no visitor finds what a site hides, whether or not the key or the search names the site', async () => {
    const { body: sites } = await service.call('GET', '/api/knowledge/sites')
    const lamps = sites.find((each: { slug: string }) => each.slug === 'lamps').id
    const rules = `/api/knowledge/sites/${lamps}/merchandising`
    const rule = { name: 'Not for sale', action: 'hide', brands: ['lamps'], query: 'Lampe', match: 'contains' }
    const { body: hideRule } = await service.call('POST', rules, { body: rule })
    const { key: ofBoth } = (await make({ sections: ['products'], sites: ['lamps', 'tools'] })).body
    const products = '/api/knowledge/products/search'
    for (const by of [key, ofBoth]) {
      assert.deepEqual(await searched(products, by, {}), ['Lampe von tools'])
      assert.deepEqual(await searched(products, by, { site_id: 'lamps' }), [])
      assert.equal((await searched(products, by, { query: '' })).length, 2, 'the rule is for another query')
      const { body } = await service.call('POST', products, { key: by, body: { query: 'Lampe' } })
      assert.deepEqual([body.total, body.facets.brand], [1, [{ value: 'tools', count: 1 }]])
      const suggested = await service.call('GET', '/api/knowledge/suggest?q=Lampe', { key: by })
      assert.deepEqual(
        suggested.body.products.map(({ title }: { title: string }) => title),
        ['Lampe von tools'],
      )
    }
    assert.equal((await searched(products, service.adminKey, {})).length, 2, 'staff find everything')
    assert.equal((await service.call('DELETE', `${rules}/${hideRule.id}`)).status, 204)
    assert.equal((await searched(products, key, {})).length, 2)
  })

  const logged = (id: string) =>
    found(
      () => service.database.queries.selectFrom('search_log').selectAll().where('id', '=', id).executeTakeFirst(),
      'the search is logged',
    )
})
