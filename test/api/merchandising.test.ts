import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { changeTenant } from '../../src/identity/tenants/rules.ts'
import { newId } from '../../src/platform/ids.ts'
import { onEachDatabase } from '../support/databases.ts'
import type { TestService } from '../support/service.ts'
import { joinService } from '../support/shared-service.ts'

const PRODUCTS = '/api/knowledge/products'
const SEARCH = `${PRODUCTS}/search`
const VOCABULARY = '/api/knowledge/search-vocabulary'

interface Moved {
  readonly rule_id: string | null
  readonly name: string
  readonly action: string
  readonly added: number
}

interface Found {
  readonly total: number
  readonly hits: readonly {
    readonly product: { readonly id: string; readonly brand: string | null }
    readonly score: number
    readonly explanation?: { readonly merchandising?: readonly Moved[] }
  }[]
  readonly facets: { readonly brand: readonly { readonly value: string; readonly count: number }[] }
  readonly redirect?: string
  readonly merchandising?: {
    readonly rules: readonly { readonly rule_id: string; readonly name: string; readonly action: string }[]
    readonly synonyms: readonly { readonly of: string; readonly word: string }[]
    readonly query: string
  }
}

onEachDatabase('merchandising', (kind) => {
  let service: TestService
  let site: string
  const ids: Record<string, string> = {}

  before(async () => {
    service = await joinService(kind)
    site = (await service.call('POST', '/api/knowledge/sites', { body: { slug: 'tools', name: 'Tools' } })).body.id
    const brands = ['Bosch', 'Makita', 'Bosch', 'Makita', 'Hilti', 'Hilti']
    for (const [i, brand] of brands.entries()) {
      await put(`drill-${i}`, { title: `Bohrmaschine ${'Profi '.repeat(i)}`, brand, category: 'Maschinen' })
    }
    await put('sofa', { title: 'Sofa', brand: 'Wohn' })
    await put('couch', { title: 'Couch', brand: 'Wohn' })
    await put('phone', { title: 'Mobile Phone', brand: 'Fon' })
    await put('cell', { title: 'Handy', brand: 'Fon' })
  })
  after(() => service.stop())

  const put = async (name: string, fields: object) => {
    const body = { language: 'de', external_id: name, ...fields }
    const answer = await service.call('POST', `${PRODUCTS}?site_id=tools`, { body })
    assert.ok(answer.status < 300, JSON.stringify(answer.body))
    ids[name] = answer.body.id
  }
  const path = (tail = '') => `/api/knowledge/sites/${site}/merchandising${tail}`
  const search = async (body: object, base?: string): Promise<Found> => {
    const sent = { mode: 'keyword', site_id: site, ...body }
    const answer = await service.call('POST', SEARCH, { body: sent }, base)
    assert.equal(answer.status, 200, JSON.stringify(answer.body))
    return answer.body
  }
  const names = ({ hits }: Pick<Found, 'hits'>): string[] =>
    hits.map(({ product }) => Object.keys(ids).find((name) => ids[name] === product.id)!)
  const namesFor = async (body: object, base?: string) => names(await search(body, base))
  const create = async (rule: object): Promise<string> => {
    const answer = await service.call('POST', path(), { body: { name: 'A rule', ...rule } })
    assert.equal(answer.status, 201, JSON.stringify(answer.body))
    return answer.body.id
  }
  /** Runs `work` while these rules are in force. */
  const under = async (rules: readonly object[], work: (ruleIds: string[]) => Promise<void>): Promise<void> => {
    const ids: string[] = []
    for (const rule of rules) ids.push(await create(rule))
    try {
      await work(ids)
    } finally {
      for (const id of ids) assert.equal((await service.call('DELETE', path(`/${id}`))).status, 204)
    }
  }
  const vocabulary = async (synonyms: readonly object[], stopWords: readonly string[] = []): Promise<void> => {
    const answer = await service.call('PUT', VOCABULARY, { body: { synonyms, stop_words: stopWords } })
    assert.equal(answer.status, 200, JSON.stringify(answer.body))
  }
  const idsOf = (...products: string[]) => products.map((name) => ids[name])
  const drills = { query: 'Bohrmaschine' }

  test('pinned products come first in their order, whether or not they match, and every page is exact', async () => {
    const plain = await namesFor(drills)
    assert.equal(plain.length, 6)
    const pins = { action: 'pin', query: 'Bohrmaschine', product_ids: idsOf('couch', 'drill-4', 'sofa') }
    await under([pins], async () => {
      const rest = plain.filter((name) => name !== 'drill-4')
      const expected = ['couch', 'drill-4', 'sofa', ...rest]
      for (const mode of ['keyword', 'hybrid', 'semantic']) {
        const { hits, total } = await search({ ...drills, mode, limit: 50 })
        assert.deepEqual(names({ hits }).slice(0, 3), expected.slice(0, 3), mode)
        assert.equal(total, hits.length, mode)
      }
      assert.deepEqual(await namesFor(drills), expected)
      const pages: string[] = []
      for (let offset = 0; offset < 8; offset += 3) pages.push(...(await namesFor({ ...drills, offset, limit: 3 })))
      assert.deepEqual(pages, expected)
      const boost = { action: 'boost', brands: ['Bosch', 'Makita', 'Hilti'], strength: 1 }
      await under([boost, { ...boost, name: 'Again' }], async () => {
        assert.deepEqual((await namesFor(drills)).slice(0, 3), expected.slice(0, 3))
      })
      // Nor does a part number come before a pinned product.
      await put('number', { title: 'Anderes', sku: 'Bohrmaschine' })
      assert.equal((await namesFor(drills))[0], 'couch')
      await service.call('DELETE', `${PRODUCTS}/${ids.number}`)
      // A filter of the request holds for pinned products too.
      assert.deepEqual(await namesFor({ ...drills, brand: 'Wohn' }), ['couch', 'sofa'])
      assert.deepEqual(await namesFor({ query: 'Sofa' }), ['sofa'])
    })
    assert.deepEqual(await namesFor(drills), plain)
  })

  test('hidden products are gone from hits, total and facets, also where another rule pins them', async () => {
    const rules = [
      { action: 'hide', query: 'Bohrmaschine', brands: ['Bosch'], product_ids: idsOf('drill-0', 'drill-1') },
      { action: 'hide', brands: ['Hilti'] },
      { action: 'pin', query: 'Bohrmaschine', product_ids: idsOf('drill-4', 'drill-3') },
    ]
    await under(rules, async () => {
      const answer = await search(drills)
      // Several kinds of lists in a rule must all match: drill-1 is of another brand.
      assert.deepEqual(names(answer).sort(), ['drill-1', 'drill-2', 'drill-3'])
      assert.equal(names(answer)[0], 'drill-3')
      assert.equal(answer.total, 3)
      assert.deepEqual(answer.facets.brand, [
        { value: 'Makita', count: 2 },
        { value: 'Bosch', count: 1 },
      ])
      const suggested = await service.call('GET', `/api/knowledge/suggest?site_id=${site}&q=Bohrmaschine&limit=20`)
      const hits = suggested.body.products.map((product: { id: string }) => ({ product }))
      assert.deepEqual(names({ hits }).sort(), ['drill-1', 'drill-2', 'drill-3'])
    })
  })

  test('a visitor of a page is not told which rules move the hits', async () => {
    const origins = ['https://shop.example']
    const { body: credential } = await service.call('POST', '/api/knowledge/api-keys/publishable', {
      body: { name: 'Page', origins, sections: ['products'] },
    })
    await under([{ action: 'boost', brands: ['Bosch'], strength: 1 }], async () => {
      const explained = { ...drills, explain: true }
      assert.ok((await search(explained)).merchandising)
      const body = { mode: 'keyword', site_id: site, ...explained }
      const seen = await service.call('POST', '/api/knowledge/products/search', { body, key: credential.key })
      assert.equal(seen.status, 200)
      assert.ok(!JSON.stringify(seen.body).includes('merchandising'))
    })
  })

  test('boosts and buries move products by as much as they say, and explain names the rules', async () => {
    const plain = await search(drills)
    const boost = { name: 'More Hilti', action: 'boost', brands: ['Hilti'], strength: 1 }
    const bury = { name: 'Less Bosch', action: 'bury', filter_category: 'Maschinen', brands: ['Bosch'], strength: 1 }
    await under([boost, bury], async ([boostId, buryId]) => {
      const boosted = await search({ ...drills, explain: true })
      assert.deepEqual(
        boosted.hits.slice(0, 2).map(({ product }) => product.brand),
        ['Hilti', 'Hilti'],
      )
      const [{ explanation, product, score }] = boosted.hits
      const [moved] = explanation!.merchandising!
      assert.deepEqual([moved.rule_id, moved.name, moved.action], [boostId, 'More Hilti', 'boost'])
      const before = plain.hits.find((hit) => hit.product.id === product.id)!
      assert.ok(Math.abs(score - before.score - moved.added) < 1e-9)
      assert.deepEqual(boosted.merchandising!.rules, [{ rule_id: boostId, name: 'More Hilti', action: 'boost' }])
      assert.ok(boosted.hits.at(-1)!.explanation!.merchandising === undefined)
      const buried = await search({ ...drills, category: 'Maschinen', explain: true })
      assert.deepEqual(
        buried.hits.map((hit) => hit.product.brand),
        ['Hilti', 'Hilti', 'Makita', 'Makita', 'Bosch', 'Bosch'],
      )
      assert.equal(buried.hits.at(-1)!.explanation!.merchandising![0].rule_id, buryId)
      assert.equal(boosted.total, plain.total)
      assert.ok(!('merchandising' in (await search(drills))))
    })
  })

  test('a rule applies to its query, exact or contained, by stems, within its dates and filters, while active', async () => {
    const pin = { action: 'pin', product_ids: idsOf('sofa') }
    const day = (offset: number) => new Date(Date.now() + offset * 86_400_000).toISOString()
    const applies = async (rule: object, body: object): Promise<boolean> => {
      let is = false
      await under([{ ...pin, ...rule }], async () => void (is = (await namesFor(body))[0] === 'sofa'))
      return is
    }
    const cases: [object, object, boolean][] = [
      [{ query: 'bohrmaschinen' }, drills, true],
      [{ query: 'Bohrmaschine' }, { query: 'Profi Bohrmaschine' }, false],
      [{ query: 'Bohrmaschine', match: 'contains' }, { query: 'Profi Bohrmaschine' }, true],
      [{ query: 'Bohrmaschine Profi', match: 'contains' }, { query: 'Profi-Bohrmaschinen' }, true],
      [{ query: 'Profi Bohrmaschine' }, { query: 'Bohrmaschine Profi' }, false],
      [{ query: 'Maschine', match: 'contains' }, drills, false],
      [{}, { query: '' }, true],
      [{ query: 'Bohrmaschine' }, { query: '' }, false],
      [{ query: 'Bohrmaschine', is_active: false }, drills, false],
      [{ from: day(-1), to: day(1) }, drills, true],
      [{ from: day(1) }, drills, false],
      [{ to: day(-1) }, drills, false],
      [{ filter_brand: 'Wohn' }, { query: 'Couch', brand: 'Wohn' }, true],
      [{ filter_brand: 'Wohn' }, { query: 'Couch' }, false],
      [{ filter_category: 'Maschinen' }, { query: 'Couch', brand: 'Wohn' }, false],
    ]
    for (const [rule, body, expected] of cases) {
      assert.equal(await applies(rule, body), expected, `${JSON.stringify(rule)} for ${JSON.stringify(body)}`)
    }
  })

  test('a rule names products by a filter, at the prices of the moment', async () => {
    await put('cheap', { title: 'Bohrmaschine billig', brand: 'Bosch', price_current: 5, attributes: { volt: 18 } })
    try {
      const cheap = { field: 'price', lt: 10 }
      await under([{ action: 'hide', filter: cheap }], async () => {
        assert.ok(!(await namesFor(drills)).includes('cheap'))
        const suggested = await service.call('GET', `/api/knowledge/suggest?q=Bohrmaschine&site_id=${site}&limit=20`)
        assert.ok(suggested.body.products.every(({ id }: { id: string }) => id !== ids.cheap))
        // The same product, with the price of another moment.
        await put('cheap', { title: 'Bohrmaschine billig', brand: 'Bosch', price_current: 20 })
        assert.ok((await namesFor(drills)).includes('cheap'))
      })
      await put('cheap', { title: 'Bohrmaschine billig', brand: 'Bosch', attributes: { volt: 18 } })
      const strong = { field: 'attributes.volt', gte: 18 }
      await under([{ action: 'boost', strength: 1, filter: strong, brands: ['Bosch'] }], async () => {
        assert.equal((await namesFor(drills))[0], 'cheap')
      })
      await under([{ action: 'boost', strength: 1, filter: strong, brands: ['Hilti'] }], async (ruleIds) => {
        const rule = await service.call('GET', path(`/${ruleIds[0]}`))
        assert.deepEqual(rule.body.filter, strong)
        const { hits } = await search({ ...drills, explain: true })
        assert.ok(hits.every(({ explanation }) => explanation!.merchandising === undefined))
      })
    } finally {
      await service.call('DELETE', `${PRODUCTS}/${ids.cheap}`)
      delete ids.cheap
    }
  })

  test('a rule for a category or brand sees what a search filters by, in whatever form', async () => {
    const hide = { action: 'hide', brands: ['Bosch'] }
    const isHidden = async (filters: object) => !(await namesFor({ ...drills, ...filters })).includes('drill-0')
    const by = (field: string, operator: string, ...values: string[]) => ({ filter: { field, [operator]: values } })
    const other = { field: 'brand', exists: true }
    await under([{ ...hide, filter_category: 'Maschinen' }], async () => {
      assert.ok(await isHidden({ category: 'Maschinen' }))
      assert.ok(await isHidden(by('category', 'any_of', 'Maschinen')))
      assert.ok(await isHidden(by('category', 'under', 'Maschinen')))
      assert.ok(await isHidden({ filter: { all: [other, { field: 'category', any_of: ['Maschinen'] }] } }))
      assert.ok(!(await isHidden(by('category', 'any_of', 'Maschinen', 'Anderes'))))
      assert.ok(!(await isHidden({ filter: { any: [other, { field: 'category', any_of: ['Maschinen'] }] } })))
      assert.ok(!(await isHidden({})))
    })
    await under([{ ...hide, filter_brand: 'Bosch' }], async () => {
      assert.ok(await isHidden(by('brand', 'any_of', 'Bosch')))
      assert.ok(!(await isHidden(by('brand', 'any_of', 'Bosch', 'Hilti'))))
    })
  })

  test('each fault in the filter of a rule is refused at its place', async () => {
    const rule = { name: 'A rule', action: 'hide' }
    const faults = async (at: string, body: object) => {
      const answer = await service.call('POST', path(at), { body })
      assert.equal(answer.status, 422, JSON.stringify(answer.body))
      return answer.body.detail.map(({ loc }: { loc: string[] }) => loc.join('.'))
    }
    const filter = {
      all: [
        { field: 'colour', any_of: ['red'] },
        { field: 'site_id', any_of: [site] },
        { field: 'price', gt: 'x' },
      ],
    }
    const places = ['all.0.field', 'all.1.field', 'all.2.gt']
    assert.deepEqual(
      await faults('', { ...rule, filter }),
      places.map((each) => `body.filter.${each}`),
    )
    assert.deepEqual(
      await faults('/preview', { query: 'x', rules: [{ ...rule, filter }] }),
      places.map((each) => `body.rules.0.filter.${each}`),
    )
    const pin = { ...rule, action: 'pin', product_ids: idsOf('sofa'), filter: { field: 'price', gt: 1 } }
    assert.deepEqual(await faults('', pin), ['body.filter'])
    assert.deepEqual(await faults('', rule), ['body.product_ids'])
  })

  test('the active rules of a site compare a bounded number of numbers, and one can always be put aside', async () => {
    const comparing = (count: number, field = 'price') => ({
      name: 'A rule',
      action: 'hide',
      filter: { any: Array.from({ length: count }, (_, i) => ({ field, any_of: [1_000 + i] })) },
    })
    const answered = async (method: string, at: string, body: object) => {
      const answer = await service.call(method, path(at), { body })
      const { loc, type } = answer.body.detail?.[0] ?? { loc: [], type: '' }
      return `${answer.status} ${loc.join('.')} ${type}`.trim()
    }
    await under([comparing(16), comparing(15)], async ([first]) => {
      assert.equal(await answered('POST', '', comparing(2)), '422 body.filter filter_too_long')
      assert.equal(await answered('PUT', `/${first}`, comparing(16)), '200')
      await under([comparing(1), comparing(10, 'attributes.volt')], async ([third]) => {
        assert.equal(await answered('POST', '', comparing(1, 'rating_count')), '422 body.filter filter_too_long')
        assert.equal(await answered('PUT', `/${third}`, { ...comparing(16), is_active: false }), '200')
        assert.equal(await answered('PUT', `/${third}`, comparing(2)), '422 body.filter filter_too_long')
        assert.equal((await namesFor(drills)).length, 6)
      })
    })
    const previewed = { query: 'x', rules: [comparing(16), comparing(16), comparing(1)] }
    assert.equal(await answered('POST', '/preview', previewed), '422 body.rules.2.filter filter_too_long')
    assert.equal(await answered('POST', '', comparing(17)), '422 body.filter.any.16 filter_too_long')
  })

  test('synonyms count one way or both ways, words and phrases, and a typed word comes before its synonym', async () => {
    assert.deepEqual(await namesFor({ query: 'Sofa' }), ['sofa'])
    await vocabulary([{ words: ['sofa', 'couch'] }, { from: 'Handy', words: ['Mobile Phone'] }])
    assert.deepEqual(await namesFor({ query: 'Sofas' }), ['sofa', 'couch'])
    assert.deepEqual(await namesFor({ query: 'couch' }), ['couch', 'sofa'])
    assert.deepEqual(await namesFor({ query: 'Handy' }), ['cell', 'phone'])
    assert.deepEqual(await namesFor({ query: 'Mobile Phone' }), ['phone'])
    const { merchandising } = await search({ query: 'Handy', explain: true })
    assert.deepEqual(merchandising!.synonyms, [
      { of: 'handy', word: 'mobile' },
      { of: 'handy', word: 'phone' },
    ])
    // They hold for all sites, and without one.
    assert.deepEqual(await namesFor({ query: 'couch', site_id: null }), ['couch', 'sofa'])
    await vocabulary([{ words: ['Mobile Phone', 'Handy'] }])
    assert.deepEqual(await namesFor({ query: 'mobile phone' }), ['phone', 'cell'])
    assert.deepEqual(await namesFor({ query: 'mobile' }), ['phone'])
    await vocabulary([])
    assert.deepEqual(await namesFor({ query: 'Handy' }), ['cell'])
  })

  test('stop words are left out of queries that have other words', async () => {
    assert.deepEqual(await namesFor({ query: 'Profi Sofa' }), ['sofa'])
    await vocabulary([], ['sofas'])
    const { hits, merchandising } = await search({ query: 'Profi Sofa', explain: true })
    assert.deepEqual([hits.length, merchandising!.query], [5, 'Profi'])
    assert.deepEqual(await namesFor({ query: 'Sofa' }), ['sofa'])
    const { body } = await service.call('GET', VOCABULARY)
    assert.deepEqual(body, { synonyms: [], stop_words: ['sofas'] })
    await vocabulary([])
  })

  test('a redirect answers with its address beside the hits', async () => {
    const redirect = {
      action: 'redirect',
      query: 'Versand',
      match: 'contains',
      address: 'https://shop.example/versand',
    }
    await under([redirect], async () => {
      assert.equal((await search({ query: 'versand kosten' })).redirect, redirect.address)
      assert.ok(!('redirect' in (await search(drills))))
    })
  })

  test('a rule that hides or pins a parent means its variants too, as the tenant shows them', async () => {
    await put('shirt', { title: 'Hemd', is_parent: true })
    for (const colour of ['rot', 'blau']) {
      await put(`shirt-${colour}`, { title: `Hemd ${colour}`, is_variant: true, parent_external_id: 'shirt' })
    }
    const set = (variantStrategy: string) =>
      changeTenant(service.database, service.tenantId, { settings: { variantStrategy } })
    const pin = { action: 'pin', query: 'Couch', product_ids: idsOf('shirt') }
    await under([pin], async () => {
      assert.deepEqual(await namesFor({ query: 'Couch' }), ['shirt', 'couch'])
      await set('children_only')
      assert.deepEqual((await namesFor({ query: 'Couch' })).slice(0, 2).sort(), ['shirt-blau', 'shirt-rot'])
      await set('parents_only')
      assert.deepEqual(await namesFor({ query: 'Couch' }), ['shirt', 'couch'])
    })
    await under([{ action: 'hide', product_ids: idsOf('shirt') }], async () => {
      for (const strategy of ['parents_only', 'children_only', 'all']) {
        await set(strategy)
        assert.deepEqual(await namesFor({ query: 'Hemd' }), [], strategy)
      }
    })
    await under([{ action: 'hide', product_ids: idsOf('shirt-rot') }], async () => {
      assert.deepEqual((await namesFor({ query: 'Hemd' })).sort(), ['shirt', 'shirt-blau'])
    })
  })

  test('a change is in force with the next search, in every process', async () => {
    const other = await service.sibling()
    try {
      assert.equal((await namesFor(drills, other.url)).length, 6)
      const id = await create({ action: 'hide', brands: ['Bosch'] })
      assert.equal((await namesFor(drills, other.url)).length, 4)
      const body = { name: 'A rule', action: 'hide', brands: ['Bosch', 'Hilti'] }
      assert.equal((await service.call('PUT', path(`/${id}`), { body })).status, 200)
      assert.equal((await namesFor(drills, other.url)).length, 2)
      await service.call('DELETE', path(`/${id}`))
      assert.equal((await namesFor(drills, other.url)).length, 6)
    } finally {
      await other.stop()
    }
  })

  test('a preview searches with the rules of the request, at the moment it names, and stores nothing', async () => {
    const before = await service.call('GET', path())
    const hide = { name: 'Soon', action: 'hide', brands: ['Hilti'], from: '2031-01-01T00:00:00Z' }
    const preview = async (body: object) => {
      const sent = { mode: 'keyword', ...drills, rules: [hide], ...body }
      const answer = await service.call('POST', path('/preview'), { body: sent })
      assert.equal(answer.status, 200, JSON.stringify(answer.body))
      return answer.body
    }
    await under([{ action: 'hide', brands: ['Bosch'] }], async () => {
      assert.equal((await preview({})).total, 6)
      assert.equal((await preview({ at: '2031-01-01T00:00:00Z' })).total, 4)
      const boosted = await preview({ rules: [{ name: 'Up', action: 'boost', brands: ['Hilti'], strength: 1 }] })
      const [moved] = boosted.hits[0].explanation.merchandising
      assert.deepEqual([moved.rule_id, moved.name, boosted.redirect], [null, 'Up', null])
      const meant = await preview({ query: 'Sofa', synonyms: [{ words: ['sofa', 'couch'] }], stop_words: [] })
      assert.deepEqual(names(meant), ['sofa', 'couch'])
      assert.equal((await namesFor(drills)).length, 4)
    })
    assert.deepEqual((await service.call('GET', path())).body, before.body)
  })

  test('a preview has the fields and excerpts that it asks for, explained all the same', async () => {
    const body = { mode: 'keyword', ...drills, rules: [], fields: ['title'], excerpt: { length: 60 } }
    const { hits } = (await service.call('POST', path('/preview'), { body })).body
    assert.ok(hits.length > 0)
    for (const { product, excerpt, explanation } of hits) {
      assert.deepEqual(Object.keys(product), ['title'])
      assert.deepEqual([typeof excerpt.text, typeof explanation.bm25], ['string', 'number'])
    }
  })

  test('a rule is read, replaced, deleted and audited, and a site has a bounded number of them', async () => {
    const written = { name: 'Sommer', action: 'boost', brands: ['Bosch'], to: '2031-01-01T00:00:00Z' }
    const creation = await service.call('POST', path(), { body: written })
    const { id } = creation.body
    assert.equal(creation.headers.get('location'), path(`/${id}`))
    const { created_at, updated_at, ...rest } = creation.body
    assert.equal(updated_at, created_at)
    assert.deepEqual(rest, {
      id,
      site_id: site,
      ...written,
      is_active: true,
      from: null,
      query: null,
      match: 'exact',
      filter_category: null,
      filter_brand: null,
      product_ids: [],
      categories: [],
      availabilities: [],
      strength: 0.5,
      address: null,
    })
    assert.deepEqual((await service.call('GET', path(`/${id}`))).body, creation.body)
    const body = { name: 'Winter', action: 'bury', brands: ['Makita'] }
    const replaced = (await service.call('PUT', path(`/${id}`), { body })).body
    assert.deepEqual([replaced.name, replaced.to, replaced.created_at], ['Winter', null, created_at])
    assert.deepEqual((await service.call('GET', path())).body, [replaced])
    const gone = { title: 'Auslaufmodell', language: 'de', external_id: 'gone' }
    const { body: product } = await service.call('POST', `/api/knowledge/products?site_id=${site}`, { body: gone })
    const pin = { name: 'Winter', action: 'pin', query: 'Auslauf', product_ids: [product.id] }
    assert.equal((await service.call('PUT', path(`/${id}`), { body: pin })).status, 200)
    assert.equal((await service.call('DELETE', `/api/knowledge/products/${product.id}`)).status, 204)
    const off = await service.call('PUT', path(`/${id}`), { body: { ...pin, is_active: false } })
    assert.deepEqual([off.status, off.body.is_active], [200, false], 'a product that is gone keeps no rule in force')
    const other = { ...pin, product_ids: [product.id, '01900000-0000-7000-8000-000000000000'] }
    const refused = await service.call('PUT', path(`/${id}`), { body: other })
    assert.deepEqual(
      refused.body.detail.map(({ loc }: { loc: string[] }) => loc.join('.')),
      ['body.product_ids.1'],
    )
    assert.equal((await service.call('POST', path(), { body: pin })).status, 422)
    assert.equal((await service.call('DELETE', path(`/${id}`))).status, 204)
    for (const method of ['GET', 'DELETE']) assert.equal((await service.call(method, path(`/${id}`))).status, 404)
    assert.equal((await service.call('PUT', path(`/${id}`), { body })).status, 404)
    const audited = await service.database.queries
      .selectFrom('audit_log')
      .select(['action', 'resource_type'])
      .where('resource_id', '=', id)
      .orderBy('id')
      .execute()
    assert.deepEqual(
      audited.map((row) => `${row.action} ${row.resource_type}`),
      ['create', 'update', 'update', 'update', 'delete'].map((action) => `${action} merchandising_rule`),
    )
    const full = (await service.call('POST', '/api/knowledge/sites', { body: { slug: 'full', name: 'Full' } })).body.id
    const at = `/api/knowledge/sites/${full}/merchandising`
    const add = async () => (await service.call('POST', at, { body })).status
    assert.equal(await add(), 201)
    const { queries } = service.database
    const ofSite = queries.selectFrom('merchandising_rules').selectAll().where('site_id', '=', full)
    const row = await ofSite.executeTakeFirstOrThrow()
    const more = Array.from({ length: 198 }, () => ({ ...row, id: newId() }))
    for (let at = 0; at < more.length; at += 50)
      await queries
        .insertInto('merchandising_rules')
        .values(more.slice(at, at + 50))
        .execute()
    assert.deepEqual([await add(), await add()], [201, 409])
    assert.equal((await service.call('DELETE', `/api/knowledge/sites/${full}`)).status, 204)
  })
})
