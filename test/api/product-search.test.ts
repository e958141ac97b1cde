import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import type { ProductFacets } from '../../src/shop/products/search/search-contract.ts'
import { changeTenant } from '../../src/identity/tenants/rules.ts'
import { onAnyDatabase } from '../support/databases.ts'
import type { TestService } from '../support/service.ts'
import { joinService } from '../support/shared-service.ts'

const PRODUCTS = '/api/knowledge/products'
const SEARCH = `${PRODUCTS}/search`
const COMBINED = '/api/knowledge/search'

interface Hit {
  readonly product: { readonly id: string; readonly title: string; readonly price_current: string | null }
  readonly similarity: number
  readonly score: number
  readonly relevance?: number
  readonly rank: number
  readonly section: string
  readonly variant?: object
  readonly explanation?: {
    readonly exact: number
    readonly all_words: number
    readonly title?: number
    readonly terms: readonly { readonly term: string; readonly frequency: number; readonly typed?: string }[]
    readonly clicks: { readonly added: number } | null
  }
}

onAnyDatabase('product search', (kind) => {
  let service: TestService
  const ids: Record<string, string> = {}

  const put = async (name: string, fields: object, site = 'default', key = service.adminKey) => {
    const body = { language: 'de', external_id: `x-${name}`, ...fields }
    const answer = await service.call('POST', `${PRODUCTS}?site_id=${site}`, { body, key })
    assert.equal(answer.status, 201, JSON.stringify(answer.body))
    ids[name] = answer.body.id
  }
  const search = async (body: object, key = service.adminKey) => {
    const answer = await service.call('POST', SEARCH, { body, key })
    assert.equal(answer.status, 200, JSON.stringify(answer.body))
    return answer.body as { total: number; hits: Hit[]; facets: ProductFacets | null; did_you_mean?: string }
  }
  const names = (hits: readonly Hit[]): string[] =>
    hits.map((hit) => Object.entries(ids).find(([, id]) => id === hit.product.id)![0])
  const namesFor = async (body: object, key?: string) => names((await search(body, key)).hits)
  const set = (settings: Record<string, string>, tenant = service.tenantId) =>
    changeTenant(service.database, tenant, { settings })

  before(async () => {
    service = await joinService(kind)
    await service.call('POST', '/api/knowledge/sites', { body: { slug: 'outlet', name: 'Outlet' } })
    await put('drill', {
      title: 'Akkuschrauber GSR 18V mit zwei Akkus',
      description: 'Kräftiger Schrauber für Holz und Metall, mit Koffer.',
      brand: 'Bosch',
      category: 'Werkzeug',
      sku: 'GSR 18-2',
      gtin: '4053423217018',
      price_current: '129.95',
      availability: 'InStock',
      properties: { Spannung: '18 V', Drehmoment: '55 Nm' },
    })
    await put('saw', {
      title: 'Stichsäge PST 700',
      description: 'Sägt Holz bis 70 mm.',
      brand: 'Bosch',
      category: 'Werkzeug',
      sku: 'PST-700',
      price_current: '59.90',
      availability: 'OutOfStock',
    })
    await put('hammer', {
      title: 'Schlosserhammer 500 g',
      description: 'Geschmiedeter Stahlkopf, Stiel aus Esche.',
      brand: 'Stanley',
      category: 'Werkzeug',
      sku: '1-51-179',
      price_current: '19.90',
      search_keywords: ['Fäustel', 'GSR182 Zubehör'],
    })
    await put('coffee', {
      title: 'Espresso ganze Bohnen 1 kg',
      description: 'Kräftiger Röstkaffee für Siebträger.',
      brand: 'Lavazza',
      category: 'Lebensmittel',
      price_current: 19.9,
    })
    await put('tea', {
      title: 'Green tea bags',
      description: 'Sencha from Japan, 20 bags.',
      brand: 'Clipper',
      category: 'Lebensmittel',
      language: 'en',
    })
    await put('cheap', { title: 'Akkuschrauber B-Ware', brand: 'Bosch', category: 'Restposten' }, 'outlet')
  })
  after(() => service.stop())

  test('a hit shows the product’s current state and last sync, however often it was shown before', async () => {
    const words = { last_synced_at: 'yesterday', 'a "last_synced_at":': '"last_synced_at":null,' }
    const synced = { title: 'Zollstock aus Buche', sync_hash: 'h1', attributes: words, properties: words }
    const first = await service.call('POST', `${PRODUCTS}?site_id=default`, {
      body: { language: 'de', external_id: 'x-rule', ...synced },
    })
    const path = `${PRODUCTS}/${first.body.id}`
    const asRead = async () => {
      const answer = await search({ query: 'Zollstock', facets: false })
      const { body } = await service.call('GET', path)
      // A hit has all that a read has but the texts that only search reads.
      assert.deepEqual({ ...body, ...answer.hits[0].product }, body)
      return body
    }
    const before = await asRead()
    assert.deepEqual(await asRead(), before)
    // Unchanged: only the time of the sync changes, and no number that search looks at.
    await service.call('POST', `${PRODUCTS}?site_id=default`, {
      body: { language: 'de', external_id: 'x-rule', ...synced },
    })
    const after = await asRead()
    assert.ok(after.last_synced_at > before.last_synced_at, after.last_synced_at)
    assert.deepEqual({ ...after, last_synced_at: null }, { ...before, last_synced_at: null })
    await service.call('DELETE', path)
    assert.equal((await search({ query: 'Zollstock', facets: false })).hits.length, 0)
  })

  test('a query that is an SKU, GTIN or external_id shows its product first, however it is written', async () => {
    for (const query of ['gsr182', 'GSR 18-2', 'gsr-182', 'GSR/18.2', '4053423217018', '4053-4232-17018', 'X-DRILL']) {
      for (const mode of ['hybrid', 'keyword']) {
        const { hits } = await search({ query, mode, explain: true })
        assert.equal(names(hits)[0], 'drill', `${query} in mode ${mode}`)
        assert.ok(hits[0].explanation!.exact > 0)
        assert.ok(hits.slice(1).every((hit) => hit.explanation!.exact === 0 && hit.score < hits[0].score))
      }
    }
    assert.deepEqual(await namesFor({ query: '', sku: 'pst/700' }), ['saw'])
  })

  test('a misspelt word finds the intended product, and explain says how it was read', async () => {
    const { hits } = await search({ query: 'akuschraubr', mode: 'keyword', explain: true, site_id: 'default' })
    assert.deepEqual(names(hits), ['drill'])
    const [term] = hits[0].explanation!.terms
    assert.equal(term.typed, 'akuschraubr')
    assert.ok(term.term.startsWith('akkuschraub'))
    assert.equal((await namesFor({ query: 'espreso', mode: 'keyword' }))[0], 'coffee')
    assert.deepEqual(await namesFor({ query: 'PST-799', mode: 'keyword', sku: 'PST-799' }), [])
  })

  test('the last word of a search stands for words that it begins, if the search asks for it', async () => {
    const begun = { query: 'schlosserh', mode: 'keyword' }
    assert.deepEqual(await namesFor(begun), [])
    assert.deepEqual(await namesFor({ ...begun, prefix: true }), ['hammer'])
    const sections = async (body: object) =>
      (await service.call('POST', COMBINED, { body: { mode: 'keyword', ...body } })).body.sections.map(
        ({ hits }: { hits: object[] }) => hits.length,
      )
    const { id: category_id } = (await service.call('POST', '/api/knowledge/categories', { body: { name: 'Tippen' } }))
      .body
    const entry = { title: 'Schlosserhammer pflegen', content: 'Stiel ölen.', category_id }
    await service.call('POST', '/api/knowledge/knowledge-entries', { body: entry })
    assert.deepEqual(await sections({ query: 'schlosserh' }), [0, 0])
    assert.deepEqual(await sections({ query: 'schlosserh', prefix: true }), [1, 1])
    assert.deepEqual(await sections({ query: 'schloserhammer' }), [1, 0])
    assert.deepEqual(await sections({ query: 'schloserhammer', typo_tolerance: true }), [1, 1])
  })

  test('compounds are found by their parts, and all spellings of umlauts are equal', async () => {
    assert.equal((await namesFor({ query: 'Schrauber mit Akku', site_id: 'default' }))[0], 'drill')
    assert.equal((await namesFor({ query: 'stichsaege' }))[0], 'saw')
    assert.equal((await namesFor({ query: 'Faeustel' }))[0], 'hammer')
  })

  test('filters combine, prices are exact at their borders, and products without a price are in no price range', async () => {
    const within = (body: object) => namesFor({ query: '', ...body })
    assert.deepEqual((await within({ price_min: '19.90', price_max: 19.9 })).sort(), ['coffee', 'hammer'])
    assert.deepEqual(await within({ price_min: '19.91', price_max: '59.89' }), [])
    const body = { query: '', price_min: '20', price_max: 19.9 }
    const reversed = await service.call('POST', '/api/knowledge/products/search', { body })
    assert.deepEqual([reversed.status, reversed.body.detail[0].loc], [422, ['body', 'price_max']])
    assert.deepEqual((await within({ price_min: 0 })).sort(), ['coffee', 'drill', 'hammer', 'saw'])
    assert.deepEqual(await within({ brand: 'Bosch', category: 'Werkzeug', availability: 'InStock' }), ['drill'])
    assert.deepEqual(await within({ language: 'en' }), ['tea'])
    assert.deepEqual(await within({ site_id: 'outlet' }), ['cheap'])
    assert.deepEqual((await within({ brand: null, site_id: null, sku: null })).length, 6)
  })

  test('without a query the last changed product comes first', async () => {
    assert.deepEqual(await namesFor({ limit: 2 }), ['cheap', 'tea'])
  })

  test('facets and total count all that was found, whatever the page', async () => {
    const { total, hits, ...rest } = await search({ query: 'werkzeug', mode: 'keyword', limit: 1, offset: 1 })
    const facets = rest.facets!
    assert.deepEqual([total, hits.length, hits[0].rank], [3, 1, 2])
    assert.deepEqual(facets.brand, [
      { value: 'Bosch', count: 2 },
      { value: 'Stanley', count: 1 },
    ])
    assert.deepEqual(facets.category, [{ value: 'Werkzeug', count: 3 }])
    assert.deepEqual(facets.price, {
      count: 3,
      min: '19.9',
      max: '129.95',
      ranges: [
        { over: '10', up_to: '20', count: 1 },
        { over: '50', up_to: '100', count: 1 },
        { over: '100', up_to: '200', count: 1 },
      ],
    })
    assert.equal((await search({ query: 'werkzeug', facets: false })).facets, null)
  })

  test('hybrid search finds products that match a word or the meaning, and no others', async () => {
    const { total, hits } = await search({ query: 'Espresso', explain: true })
    assert.ok(names(hits)[0] === 'coffee' && total < 6, `${total} found`)
    for (const hit of hits) {
      assert.ok(hit.explanation!.terms.some((term) => term.frequency > 0) || hit.similarity >= 0.2)
    }
    assert.equal((await search({ query: 'zzzzqqq xxyyzz', mode: 'keyword' })).total, 0)
  })

  test('products with all words of a query come first, and alone once ten have them all', async () => {
    const few = await search({ query: 'bosch holz sägen', mode: 'keyword', explain: true })
    assert.deepEqual([names(few.hits), few.total], [['saw', 'drill'], 2])
    assert.deepEqual(
      few.hits.map((hit) => hit.explanation!.all_words > 0),
      [true, false],
    )
    const nails = await service.tenant('nails')
    const key = await service.key(['products:read', 'products:write'], nails)
    for (let i = 0; i < 13; i++) {
      const [title, brand] = i < 10 ? [`Nagel verzinkt ${i}`, 'Zink'] : [`Nagel Nagel blank ${i}`, 'Blank']
      await put(`nail ${i}`, { title, brand }, 'default', key)
    }
    await put('screw', { title: 'Schraube verzinkt', brand: 'Spax' }, 'default', key)
    for (const mode of ['keyword', 'hybrid']) {
      const { total, hits, facets } = await search({ query: 'verzinkte Nägel', mode, limit: 20 }, key)
      assert.deepEqual([total, hits.length, facets!.brand], [10, 10, [{ value: 'Zink', count: 10 }]])
      // Better something of the brand than nothing, where none of the ten is left.
      assert.deepEqual(await namesFor({ query: 'verzinkte Nägel', mode, brand: 'Spax' }, key), ['screw'])
    }
  })

  test('a product whose title is the query comes before one that has it among other words, however often', async () => {
    const tables = await service.tenant('tables')
    const key = await service.key(['products:read', 'products:write'], tables)
    await put('table', { title: 'Gartentisch' }, 'default', key)
    const description = 'Gartentisch '.repeat(40)
    await put('cover', { title: 'Gartentisch Schutzhülle rund', description }, 'default', key)
    for (const mode of ['keyword', 'hybrid']) {
      const { hits } = await search({ query: 'gartentisch', mode, explain: true }, key)
      assert.deepEqual(names(hits), ['table', 'cover'], mode)
      const [first, second] = hits.map((hit) => hit.explanation!.title!)
      assert.ok(first > second && second > 0, `${first} and ${second}`)
    }
  })

  test('a measure is found in any of its spellings, and two words as one', async () => {
    for (const query of [
      'akkuschrauber 18 volt',
      'akku schrauber 18V',
      'Akkuschrauber 18-Volt',
      'schrauber mit akku 18 V',
    ])
      assert.equal((await namesFor({ query, mode: 'keyword' }))[0], 'drill', query)
    assert.equal((await namesFor({ query: '18 Volt', mode: 'keyword' }))[0], 'drill')
    assert.equal((await namesFor({ query: 'espresso 1 Kilo', mode: 'keyword' }))[0], 'coffee')
    assert.deepEqual(await namesFor({ query: 'schlosser hammer', mode: 'keyword' }), ['hammer'])
  })

  test('hits say how relevant they are if asked, and those below a minimum are dropped and not counted', async () => {
    for (const mode of ['hybrid', 'keyword', 'semantic'] as const) {
      const query = { query: 'Espresso Bohnen', mode }
      assert.ok((await search(query)).hits.every((hit) => hit.relevance === undefined))
      const { hits } = await search({ ...query, relevance: true, explain: true })
      assert.ok(hits.every(({ relevance = -1 }) => relevance >= 0 && relevance <= 1))
      assert.ok(names(hits)[0] === 'coffee' && hits[0].relevance! > 0.5, `${hits[0].relevance} in mode ${mode}`)
      const relevant = await search({ ...query, min_relevance: 0.5 })
      assert.deepEqual([names(relevant.hits), relevant.total], [['coffee'], 1])
      assert.deepEqual(relevant.facets!.category, [{ value: 'Lebensmittel', count: 1 }])
      const nothing = await search({ query: 'zzzz qqqq xxyy', mode, min_relevance: 0.2 })
      assert.deepEqual([nothing.hits, nothing.total, nothing.facets!.brand], [[], 0, []])
    }
    const missed = { query: 'schlosserhamer flurbotz', min_relevance: 0.5 }
    assert.deepEqual((await search(missed)).did_you_mean, 'Schlosserhammer flurbotz')
    const twice = { query: 'expreso schlosserhamer', mode: 'keyword', brand: 'None', min_relevance: 0.5 }
    assert.ok(!('did_you_mean' in (await search(twice))), 'products of other brands say nothing')
    assert.ok(!('did_you_mean' in (await search({ ...missed, min_relevance: null }))))
    assert.ok(!('did_you_mean' in (await search({ ...missed, query: 'zzzz qqqq' }))))
    const [exact] = (await search({ query: 'pst700', relevance: true })).hits
    assert.equal(exact.relevance, 1)
  })

  test('click learning moves a product within its bound, and explain says so', async () => {
    const query = 'bosch werkzeug'
    const plain = await search({ query, mode: 'keyword' })
    const last = plain.hits[plain.hits.length - 1].product.id
    const boost = { tenant_id: service.tenantId, site_id: '', query_key: query, product_id: last, clicks: 30 }
    await service.database.queries
      .insertInto('click_boosts')
      .values({ ...boost, expected_clicks: 3, boost: 0.2, computed_at: Date.now() })
      .execute()
    assert.deepEqual(await namesFor({ query, mode: 'keyword' }), names(plain.hits))
    await set({ clickLearning: 'true' })
    const learnt = (await search({ query, mode: 'keyword', explain: true })).hits.find(
      (hit) => hit.product.id === last,
    )!
    assert.ok(learnt.score > plain.hits[plain.hits.length - 1].score)
    assert.ok(learnt.explanation!.clicks!.added > 0)
    await set({ clickLearning: 'false' })
  })

  test('the answer has its log id in body and header', async () => {
    const answer = await service.call('POST', SEARCH, { body: { query: 'Hammer' } })
    assert.equal(answer.headers.get('x-search-log-id'), answer.body.search_log_id)
    assert.match(answer.headers.get('server-timing')!, /embed;dur=.*search;dur=/)
  })

  test('similar products are of the same site and never the product itself', async () => {
    const answer = await service.call('GET', `${PRODUCTS}/${ids.drill}/similar?limit=3`)
    assert.equal(answer.status, 200)
    const similar = names(answer.body)
    assert.equal(similar.length, 3)
    assert.ok(!similar.includes('drill') && !similar.includes('cheap'))
    const all = answer.body.map((hit: Hit) => hit.similarity)
    assert.deepEqual(
      all,
      all.toSorted((a: number, b: number) => b - a),
    )
    const unknown = await service.call('GET', `${PRODUCTS}/00000000-0000-7000-8000-000000000000/similar`)
    assert.equal(unknown.status, 404)
  })

  test('suggestions complete the last word and name brands, categories and products', async () => {
    const suggest = async (q: string, more = '') => {
      const answer = await service.call('GET', `/api/knowledge/suggest?q=${encodeURIComponent(q)}${more}`)
      assert.equal(answer.status, 200, JSON.stringify(answer.body))
      return answer.body
    }
    const begun = await suggest('akkus')
    assert.deepEqual(begun.completions, ['Akkuschrauber'])
    assert.deepEqual(begun.products.map((product: { id: string }) => product.id).sort(), [ids.drill, ids.cheap].sort())
    assert.deepEqual((await suggest('bos')).brands, [{ value: 'Bosch', count: 3 }])
    assert.deepEqual((await suggest('lebens')).categories, [{ value: 'Lebensmittel', count: 2 }])
    assert.deepEqual((await suggest('bos', '&site_id=outlet')).brands, [{ value: 'Bosch', count: 1 }])
    assert.deepEqual((await suggest('qqqq')).products, [])
  })

  test('variants and parents are shown as the tenant’s settings say', async () => {
    const shoes = await service.tenant('shoes')
    const key = await service.key(['products:read', 'products:write'], shoes)
    await put('parent', { title: 'Laufschuh Sprint', is_parent: true }, 'default', key)
    for (const [name, size] of [
      ['small', '38'],
      ['large', '46'],
    ]) {
      const fields = { is_variant: true, parent_external_id: 'x-parent', properties: { Größe: size } }
      await put(name, { title: `Laufschuh Sprint Größe ${size}`, ...fields }, 'default', key)
    }
    await put('boot', { title: 'Wanderstiefel' }, 'default', key)
    const query = { query: 'Laufschuh 46', mode: 'keyword' }
    assert.deepEqual(await namesFor(query, key), ['large'])
    assert.equal((await namesFor({ ...query, query: 'Laufschuh' }, key)).length, 3)
    await set({ variantStrategy: 'children_only' }, shoes)
    assert.deepEqual((await namesFor({ ...query, query: 'Laufschuh' }, key)).sort(), ['large', 'small'])
    await set({ variantStrategy: 'parents_only' }, shoes)
    const collapsed = await search(query, key)
    assert.deepEqual([names(collapsed.hits), collapsed.total], [['parent'], 1])
    assert.deepEqual(collapsed.facets!.language, [{ value: 'de', count: 1 }])
    assert.deepEqual(await namesFor({ query: '46', mode: 'keyword' }, key), ['parent'])
    assert.deepEqual((await namesFor({}, key)).sort(), ['boot', 'parent'])
    const similar = await service.call('GET', `${PRODUCTS}/${ids.large}/similar`, { key })
    assert.deepEqual(names(similar.body), ['boot'])
  })

  test('a product is found by each of its barcodes, with and without leading zeros', async () => {
    const codes = await service.tenant('codes')
    const key = await service.key(['products:read', 'products:write'], codes)
    const gtins = ['036000291452', '4006381333931']
    await put('kettle', { title: 'Wasserkocher', gtin: '4053423217018', gtins }, 'default', key)
    await put('pot', { title: 'Teekanne', gtin: '36000291469' }, 'default', key)
    const { body } = await service.call('GET', `${PRODUCTS}/${ids.kettle}`, { key })
    assert.deepEqual([body.gtin, body.gtins], ['4053423217018', gtins])
    assert.ok(!('gtins' in (await service.call('GET', `${PRODUCTS}/${ids.pot}`, { key })).body))
    const written = ['4053423217018', '04053423217018', '36000291452', '0036000291452', '4006381-333931']
    for (const code of written) {
      assert.deepEqual(await namesFor({ query: code, mode: 'keyword' }, key), ['kettle'], code)
      assert.deepEqual(await namesFor({ sku: code }, key), ['kettle'], code)
    }
    assert.deepEqual(await namesFor({ query: '036000291469', mode: 'keyword' }, key), ['pot'])
  })

  test('a hit that shows a parent names the variant that matched best', async () => {
    const named = await service.tenant('named')
    const key = await service.key(['products:read', 'products:write'], named)
    await put('jacket', { title: 'Jacke', is_parent: true }, 'default', key)
    for (const colour of ['rot', 'blau']) {
      const fields = { is_variant: true, parent_external_id: 'x-jacket', sku: `J-${colour}` }
      const product_url = `https://shop.example/${colour}`
      await put(`jacket-${colour}`, { title: `Jacke ${colour} – wärmt`, product_url, ...fields }, 'default', key)
    }
    await set({ variantStrategy: 'parents_only' }, named)
    const variant = {
      id: ids['jacket-blau'],
      external_id: 'x-jacket-blau',
      title: 'Jacke blau – wärmt',
      sku: 'J-blau',
      image_url: null,
      product_url: 'https://shop.example/blau',
    }
    // By the parent's own words and the variant's, and by words that only the variant has.
    for (const query of ['Jacke blau', 'blau']) {
      for (const explain of [false, true]) {
        const [hit] = (await search({ query, mode: 'keyword', explain }, key)).hits
        assert.deepEqual([hit.product.id, hit.variant], [ids.jacket, variant], query)
      }
    }
    assert.ok(!('variant' in (await search({ query: 'Jacke', mode: 'keyword' }, key)).hits[0]))
    await set({ variantStrategy: 'all' }, named)
    for (const hit of (await search({ query: 'Jacke blau', mode: 'keyword' }, key)).hits) {
      assert.ok(!('variant' in hit))
    }
  })

  test('a parent is in stock as long as one of its variants is, whatever happens to them', async () => {
    const stocked = await service.tenant('stock')
    const key = await service.key(['products:read', 'products:write'], stocked)
    const variant = async (name: string, availability: string) => {
      const fields = { title: `Größe ${name}`, is_variant: true, parent_external_id: 'x-boots', availability }
      const body = { language: 'de', external_id: `x-boots-${name}`, ...fields }
      ids[`boots-${name}`] = (await service.call('POST', `${PRODUCTS}?site_id=default`, { body, key })).body.id
    }
    // A variant may arrive before its parent.
    await variant('41', 'InStock')
    await put('boots', { title: 'Stiefel', is_parent: true, availability: 'OutOfStock' }, 'default', key)
    await variant('42', 'OutOfStock')
    await set({ variantStrategy: 'parents_only' }, stocked)
    const stock = async () => {
      const query = { query: 'Stiefel', mode: 'keyword' }
      const { facets } = await search(query, key)
      const inStock = await namesFor({ ...query, availability: 'InStock' }, key)
      return [facets!.availability.map(({ value }) => value), inStock]
    }
    const [some, none] = [
      [['InStock'], ['boots']],
      [['OutOfStock'], []],
    ]
    assert.deepEqual(await stock(), some)
    await variant('41', 'OutOfStock')
    assert.deepEqual(await stock(), none)
    await variant('42', 'in stock')
    assert.deepEqual((await stock())[0], ['in stock'])
    await variant('42', 'InStock')
    assert.deepEqual(await stock(), some)
    await service.call('DELETE', `${PRODUCTS}/${ids['boots-42']}`, { key })
    assert.deepEqual(await stock(), none)
    const push = (lines: readonly object[]) =>
      service.call('POST', `${PRODUCTS}/bulk?site_id=default&sync=full&source=api`, {
        body: lines.map((line) => `${JSON.stringify({ language: 'de', ...line })}\n`).join(''),
        headers: { 'content-type': 'application/x-ndjson' },
        key,
      })
    const parent = { external_id: 'x-boots', title: 'Stiefel', is_parent: true, availability: 'OutOfStock' }
    const size = { external_id: 'x-boots-43', title: 'Größe 43', is_variant: true, parent_external_id: 'x-boots' }
    await push([{ ...size, availability: 'InStock' }, parent])
    assert.deepEqual(await stock(), some)
    await push([parent])
    assert.deepEqual(await stock(), none)
  })

  test('variants of a group that has no product of its own are one hit, the best of them', async () => {
    const groups = await service.tenant('groups')
    const key = await service.key(['products:read', 'products:write'], groups)
    for (const colour of ['rot', 'blau']) {
      const fields = { is_variant: true, parent_external_id: 'shirt-group' }
      await put(`shirt-${colour}`, { title: `Hemd ${colour}`, ...fields }, 'default', key)
    }
    await put('vest', { title: 'Weste' }, 'default', key)
    assert.equal((await namesFor({ query: 'Hemd', mode: 'keyword' }, key)).length, 2)
    await set({ variantStrategy: 'parents_only' }, groups)
    const { hits, total } = await search({ query: 'Hemd blau', mode: 'keyword' }, key)
    assert.deepEqual([names(hits), total], [['shirt-blau'], 1])
    const similar = await service.call('GET', `${PRODUCTS}/${ids['shirt-rot']}/similar`, { key })
    assert.deepEqual(names(similar.body), ['vest'])
  })

  test('overlong texts fill neither an answer nor a list of suggestions', async () => {
    const bulky = await service.tenant('bulky')
    const key = await service.key(['products:read', 'products:write'], bulky)
    for (let i = 0; i < 6; i++) await put(`giant-${i}`, { title: 'Riese' }, 'default', key)
    // Stored directly, because the service would embed it, and with few words, which are analysed soon.
    const description = `Riese ${'.'.repeat(1_500_000)}`
    const { queries } = service.database
    await queries.updateTable('products').set({ description }).where('tenant_id', '=', bulky).execute()
    const giants = { query: 'Riese', mode: 'keyword' }
    for (const explain of [false, true]) {
      const first = await search({ ...giants, explain }, key)
      assert.deepEqual([first.hits.length, first.total], [5, 6])
      const second = await search({ ...giants, explain, offset: 5 }, key)
      assert.deepEqual([second.hits.length, second.hits[0].rank], [1, 6])
    }
    const suggest = async (q: string) => (await service.call('GET', `/api/knowledge/suggest?q=${q}`, { key })).body
    const category = `Zwerge ${'z'.repeat(300)}`
    await put('dwarf', { title: 'Zwerg', category, image_url: `https://a/${'z'.repeat(2_000)}` }, 'default', key)
    await put('long dwarf', { title: `Zwerg ${'z'.repeat(2_000)}`, category: 'z'.repeat(1_001) }, 'default', key)
    const { completions, categories, products } = await suggest('zwer')
    assert.deepEqual([completions, categories, products.length], [['Zwerg'], [], 1])
    assert.deepEqual([products[0].title, products[0].image_url], ['Zwerg', null])
    const { hits, facets } = await search({ query: 'Zwerg', mode: 'keyword' }, key)
    assert.deepEqual([hits.length, facets!.category], [2, [{ value: category, count: 1 }]])
  })

  test('combined search answers the sections a credential may read, under one log id', async () => {
    const category = await service.category('Hilfe')
    const entry = { title: 'Akkuschrauber laden', content: 'So wird der Akku geladen.', category_id: category }
    await service.call('POST', '/api/knowledge/knowledge-entries', { body: entry })
    const body = { query: 'Akkuschrauber', limit: 2 }
    const both = (await service.call('POST', COMBINED, { body })).body
    assert.deepEqual(
      both.sections.map((section: { section: string }) => section.section),
      ['products', 'knowledge'],
    )
    assert.equal(both.sections[1].hits[0].entry.title, 'Akkuschrauber laden')
    assert.deepEqual([both.sections[1].hits[0].rank, both.sections[1].hits[0].section], [1, 'knowledge'])
    assert.equal(both.sections[0].hits[0].section, 'products')

    const key = await service.key(['products:read', 'visibility:public'])
    const part = (await service.call('POST', COMBINED, { body, key })).body
    assert.deepEqual(
      part.sections.map((section: { section: string }) => section.section),
      ['products'],
    )
    const refused = await service.call('POST', COMBINED, { body: { ...body, sections: ['knowledge'] }, key })
    assert.equal(refused.status, 403)
    const none = await service.call('POST', COMBINED, { body, key: await service.key(['sites:read']) })
    assert.equal(none.status, 403)
    const reader = await service.key(['knowledge:read', 'visibility:public'])
    const hidden = (await service.call('POST', COMBINED, { body, key: reader })).body
    assert.deepEqual(hidden.sections, [{ section: 'knowledge', hits: [] }])
  })

  test('a product is found as soon as it is written and gone as soon as it is deleted, by its own tenant only', async () => {
    await put('fresh', { title: 'Quittenmarmelade' })
    assert.deepEqual(await namesFor({ query: 'Quittenmarmelade', mode: 'keyword' }), ['fresh'])
    const other = await service.tenant('other')
    const key = await service.key(['products:read'], other)
    assert.equal((await search({ query: 'Quittenmarmelade' }, key)).total, 0)
    await service.call('DELETE', `${PRODUCTS}/${ids.fresh}`)
    assert.deepEqual(await namesFor({ query: 'Quittenmarmelade', mode: 'keyword' }), [])
  })
})
