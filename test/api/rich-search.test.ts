import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { onAnyDatabase } from '../support/databases.ts'
import type { TestService } from '../support/service.ts'
import { joinService } from '../support/shared-service.ts'

const ENTRIES = '/api/knowledge/knowledge-entries'
const PRODUCTS = '/api/knowledge/products'
const RICH = '/api/knowledge/search'
const MULTI = '/api/knowledge/multi-search'
const UNKNOWN = '01900000-0000-7000-8000-000000000000'

interface Fault {
  loc: string[]
  type: string
}

onAnyDatabase('rich search', (kind) => {
  let service: TestService
  const ids: Record<string, string> = {}

  before(async () => {
    service = await joinService(kind)
    const category = async (name: string, parent_id?: string) => {
      const { body } = await service.call('POST', '/api/knowledge/categories', { body: { name, parent_id } })
      ids[name] = body.id
    }
    await category('Handbuch')
    await category('Technik', ids.Handbuch)
    await category('Pumpen', ids.Technik)
    await category('Personal', ids.Handbuch)
    const entry = async (title: string, where: string, fields: object) => {
      const body = { title, content: `Eine Anleitung zu ${title}.`, category_id: ids[where], ...fields }
      const answer = await service.call('POST', ENTRIES, { body })
      assert.equal(answer.status, 201, JSON.stringify(answer.body))
      ids[title] = answer.body.id
    }
    await entry('Anton', 'Pumpen', { tags: ['rot', 'neu'], metadata: { owner: 'Ann', priority: 3, due: '2026-03-01' } })
    await entry('Berta', 'Pumpen', { tags: ['rot'], layer: 'finance', metadata: { owner: 'Bob', priority: 1 } })
    await entry('cäsar', 'Technik', { tags: ['blau'], metadata: { owner: 'Ann', 'team.size': 7, done: true } })
    await entry('Dora', 'Personal', { language: 'en', metadata: { owner: ['Ann', 'Bob'], priority: 10 } })
    await entry('Emil', 'Personal', { visibility: 'restricted', tags: ['geheim'], metadata: { owner: 'Eve' } })

    await service.call('POST', '/api/knowledge/sites', { body: { name: 'Laden', slug: 'laden' } })
    const product = async (title: string, fields: object) => {
      const body = { title, language: 'de', external_id: title, description: `Lampe ${title}`, ...fields }
      const answer = await service.call('POST', `${PRODUCTS}?site_id=laden`, { body })
      assert.ok(answer.status < 300, JSON.stringify(answer.body))
    }
    const past = '2020-01-01T00:00:00Z'
    await product('Alpha', {
      price_current: 50,
      price_special: 10,
      price_special_from: past,
      brand: 'Lux',
      rating_average: 4,
      category: 'Haus > Licht > Stehlampen',
      attributes: { Farbe: 'rot', Watt: 40 },
    })
    await product('Beta', {
      price_current: 20,
      brand: 'Lux',
      category: 'Haus > Licht',
      rating_average: 5,
      rating_count: 12,
      attributes: { Farbe: ['rot', 'blau'], Watt: '7.5' },
    })
    await product('Gamma', { price_current: 30, brand: 'Nox', category: 'Garten', attributes: { Farbe: 'blau' } })
    await product('Delta', { brand: 'Nox', category: 'Haus / Licht', attributes: { Watt: 100 } })
  })
  after(() => service.stop())

  const call = async (path: string, body: object, status = 200) => {
    const answer = await service.call('POST', path, { body })
    assert.equal(answer.status, status, JSON.stringify(answer.body))
    return answer.body
  }
  const knowledge = async (options: object, whole: object = {}) => {
    const body = { query: 'Anleitung', sections: ['knowledge'], knowledge: options, ...whole }
    return (await call(RICH, body)).sections[0]
  }
  const shop = async (options: object, whole: object = {}) => {
    const body = { query: 'Lampe', sections: ['products'], products: options, ...whole }
    return (await call(RICH, body)).sections[0]
  }
  const titlesOf = (section: { hits: { entry?: { title: string }; product?: { title: string } }[] }) =>
    section.hits.map(({ entry, product }) => (entry ?? product!).title)
  const titlesFor = async (filter: object) => titlesOf(await knowledge({ filter, sort: { field: 'title' } })).join(' ')
  const sold = async (filter: object) => titlesOf(await shop({ filter, sort: { field: 'title' } })).join(' ')

  test('entries are filtered by their fields and metadata, combined at will', async () => {
    assert.equal(await titlesFor({ field: 'tags', any_of: ['rot', 'blau'] }), 'Anton Berta cäsar')
    assert.equal(await titlesFor({ field: 'metadata.owner', any_of: ['Ann'] }), 'Anton cäsar Dora')
    assert.equal(await titlesFor({ field: 'metadata.priority', gt: 1 }), 'Anton Dora')
    assert.equal(await titlesFor({ field: 'metadata.priority', gte: 1, lt: 10 }), 'Anton Berta')
    assert.equal(await titlesFor({ field: 'metadata.priority', exists: false }), 'cäsar Emil')
    assert.equal(await titlesFor({ field: 'metadata.due', gte: '2026-02-01', lte: '2026-03-01' }), 'Anton')
    const [due] = (await knowledge({ facets: [{ field: 'metadata.due', ranges: [{ from: '2026-01-01' }] }] })).facets
    assert.deepEqual([due.min, due.max, due.count], ['2026-03-01T00:00:00.000Z', '2026-03-01T00:00:00.000Z', 1])
    assert.equal(await titlesFor({ field: 'metadata.team.size', any_of: [7] }), 'cäsar')
    assert.equal(await titlesFor({ field: 'metadata.done', any_of: [true] }), 'cäsar')
    assert.equal(await titlesFor({ field: 'layer', exists: true }), 'Berta')
    assert.equal(
      await titlesFor({ field: 'language', any_of: ['EN-gb'] }),
      await titlesFor({ field: 'language', any_of: ['en'] }),
    )
    assert.match(await titlesFor({ field: 'language', any_of: ['EN'] }), /Dora/)
    assert.equal(await titlesFor({ field: 'created_at', lt: '2020-01-01' }), '')
    assert.equal(await titlesFor({ field: 'category_id', any_of: [ids.Technik] }), 'cäsar')
    assert.equal(await titlesFor({ field: 'category_id', under: [ids.Technik] }), 'Anton Berta cäsar')
    const both = [
      { field: 'language', any_of: ['de'] },
      {
        any: [
          { field: 'layer', exists: true },
          { not: { field: 'tags', exists: true } },
          { field: 'tags', any_of: ['neu'] },
        ],
      },
    ]
    assert.equal(await titlesFor({ all: both }), 'Anton Berta')
    const [hit] = await call(`${ENTRIES}/search`, {
      query: 'Anleitung',
      filter: { all: both },
      sort: { field: 'title' },
    })
    assert.equal(hit.entry.title, 'Anton')
  })

  test('products are filtered by their fields, the price of this moment, and attributes', async () => {
    assert.equal(await sold({ field: 'price', lte: 20 }), 'Alpha Beta')
    assert.equal(await sold({ field: 'price', lt: 20 }), 'Alpha')
    assert.equal(await sold({ field: 'price', exists: false }), 'Delta')
    assert.equal(await sold({ field: 'price', any_of: [10, 30] }), 'Alpha Gamma')
    assert.equal(await sold({ field: 'attributes.Farbe', any_of: ['blau'] }), 'Beta Gamma')
    assert.equal(await sold({ field: 'attributes.Watt', gte: 7.5, lt: 100 }), 'Alpha Beta')
    assert.equal(await sold({ not: { field: 'attributes.Farbe', exists: true } }), 'Delta')
    assert.equal(await sold({ field: 'category', under: ['Haus>Licht'] }), 'Alpha Beta Delta')
    assert.equal(await sold({ field: 'category', any_of: ['Haus > Licht'] }), 'Beta')
    assert.equal(await sold({ field: 'sku', any_of: ['AL-PHA'] }), 'Alpha')
    const { hits, total } = await call(`${PRODUCTS}/search`, { query: 'Lampe', filter: { field: 'price', gt: 20 } })
    assert.deepEqual([hits[0].product.title, total], ['Gamma', 1])
  })

  test('hits are sorted by price, rating, title, time or a number, and those without a value come last', async () => {
    const order = async (field: string, order: string) => titlesOf(await shop({ sort: { field, order } })).join(' ')
    assert.equal(await order('price', 'asc'), 'Alpha Beta Gamma Delta')
    assert.equal(await order('price', 'desc'), 'Gamma Beta Alpha Delta')
    assert.match(await order('rating_average', 'desc'), /^Beta Alpha /)
    assert.match(await order('rating_count', 'desc'), /^Beta /)
    assert.equal(await order('created_at', 'asc'), 'Alpha Beta Gamma Delta')
    assert.equal(await order('attributes.Watt', 'desc'), 'Delta Alpha Beta Gamma')
    assert.equal(await order('title', 'desc'), 'Gamma Delta Beta Alpha')
    const entries = async (field: string, order: string) =>
      titlesOf(await knowledge({ sort: { field, order } })).join(' ')
    assert.equal(await entries('title', 'asc'), 'Anton Berta cäsar Dora Emil')
    assert.equal(await entries('created_at', 'desc'), 'Emil Dora cäsar Berta Anton')
    assert.match(await entries('metadata.priority', 'asc'), /^Berta Anton Dora /)
    const plain = await call(`${ENTRIES}/search`, { query: 'Anleitung', sort: { field: 'title', order: 'desc' } })
    assert.equal(plain[0].entry.title, 'Emil')
  })

  test('facets count fields, metadata and attributes of all hits, whatever the page', async () => {
    const fields = ['type', 'tags', 'metadata.owner', 'language']
    const { facets, hits, total } = await knowledge({ facets: fields.map((field) => ({ field })), limit: 1 })
    assert.deepEqual([hits.length, total], [1, 5])
    const [types, tags, owners, languages] = facets
    assert.deepEqual(types, { field: 'type', values: [{ value: 'knowledge', count: 5 }] })
    assert.deepEqual(tags.values[0], { value: 'rot', count: 2 })
    assert.deepEqual(owners.values, [
      { value: 'Ann', count: 3 },
      { value: 'Bob', count: 2 },
      { value: 'Eve', count: 1 },
    ])
    assert.deepEqual(languages.values, [
      { value: 'de', count: 4 },
      { value: 'en', count: 1 },
    ])
    const [colours, price, watts] = (
      await shop({
        facets: [
          { field: 'attributes.Farbe', limit: 1 },
          { field: 'price', ranges: [{ to: 20 }, { from: 20, to: 30 }, { from: 30 }] },
          { field: 'attributes.Watt', ranges: [{ from: 40 }] },
        ],
      })
    ).facets
    assert.deepEqual(colours.values, [{ value: 'blau', count: 2 }])
    assert.deepEqual(price, {
      field: 'price',
      count: 3,
      min: 10,
      max: 30,
      ranges: [
        { to: 20, count: 1 },
        { from: 20, to: 30, count: 1 },
        { from: 30, count: 1 },
      ],
    })
    assert.deepEqual([watts.min, watts.max, watts.ranges], [7.5, 100, [{ from: 40, count: 2 }]])
  })

  test("a facet's own choice does not narrow its counts, and every other one does", async () => {
    const { facets, total } = await shop({
      filter: {
        all: [
          { field: 'brand', any_of: ['Lux'] },
          { field: 'attributes.Farbe', any_of: ['blau'] },
        ],
      },
      facets: [{ field: 'brand' }, { field: 'attributes.Farbe' }, { field: 'category' }],
    })
    assert.equal(total, 1)
    const [brands, colours, categories] = facets
    assert.deepEqual(brands.values, [
      { value: 'Lux', count: 1 },
      { value: 'Nox', count: 1 },
    ])
    assert.deepEqual(colours.values, [
      { value: 'rot', count: 2 },
      { value: 'blau', count: 1 },
    ])
    assert.deepEqual(categories.values, [{ value: 'Haus > Licht', count: 1 }])
  })

  test('categories form a tree whose counts are of whole subtrees', async () => {
    const [{ values }] = (await knowledge({ facets: [{ field: 'category_id', hierarchy: true }] })).facets
    assert.deepEqual(
      values
        .map(({ name, count, parent }: { name: string; count: number; parent: string | null }) => [name, count, parent])
        .sort(),
      [
        ['Handbuch', 5, null],
        ['Personal', 2, ids.Handbuch],
        ['Pumpen', 2, ids.Technik],
        ['Technik', 3, ids.Handbuch],
      ],
    )
    const [paths] = (await shop({ facets: [{ field: 'category', hierarchy: true }] })).facets
    assert.deepEqual(paths.values, [
      { value: 'Haus', count: 3, name: 'Haus', parent: null },
      { value: 'Haus > Licht', count: 3, name: 'Licht', parent: 'Haus' },
      { value: 'Garten', count: 1, name: 'Garten', parent: null },
      { value: 'Haus > Licht > Stehlampen', count: 1, name: 'Stehlampen', parent: 'Haus > Licht' },
    ])
  })

  test('facets, filters and totals know nothing of what the caller may not see', async () => {
    const key = await service.key(['knowledge:read', 'visibility:internal'])
    const ask = async (options: object) => {
      const body = { query: 'Anleitung', knowledge: options }
      return (await service.call('POST', RICH, { key, body })).body.sections[0]
    }
    const { total, facets } = await ask({ facets: [{ field: 'metadata.owner' }, { field: 'visibility' }] })
    assert.equal(total, 4)
    assert.deepEqual(
      facets[0].values.map(({ value }: { value: string }) => value),
      ['Ann', 'Bob'],
    )
    assert.deepEqual(facets[1].values, [{ value: 'internal', count: 4 }])
    assert.equal((await ask({ filter: { field: 'metadata.owner', any_of: ['Eve'] } })).total, 0)
    assert.equal((await ask({ filter: { not: { field: 'metadata.owner', any_of: ['Ann', 'Bob'] } } })).total, 0)
  })

  test('a change is filtered, counted and sorted by its new values at once', async () => {
    await service.call('PATCH', `${ENTRIES}/${ids.Berta}`, { body: { metadata: { owner: 'Zoe', priority: 99 } } })
    assert.equal(await titlesFor({ field: 'metadata.owner', any_of: ['Zoe'] }), 'Berta')
    assert.equal(await titlesFor({ field: 'metadata.owner', any_of: ['Bob'] }), 'Dora')
    const { hits } = await knowledge({ sort: { field: 'metadata.priority', order: 'desc' } })
    assert.equal(hits[0].entry.title, 'Berta')
    await service.call('PATCH', `${ENTRIES}/${ids.Berta}`, { body: { metadata: { owner: 'Bob', priority: 1 } } })
  })

  test('pages follow each other by cursor, in any order, and each hit comes once', async () => {
    for (const sort of [undefined, { field: 'price' }]) {
      const seen: string[] = []
      const ranks: number[] = []
      let cursor: string | null | undefined
      do {
        const page = await shop({ limit: 3, sort, cursor: cursor ?? undefined })
        seen.push(...titlesOf(page))
        ranks.push(...page.hits.map(({ rank }: { rank: number }) => rank))
        cursor = page.next_cursor
        assert.equal(page.total, 4)
      } while (cursor !== null)
      assert.deepEqual([seen.toSorted().join(' '), ranks], ['Alpha Beta Delta Gamma', [1, 2, 3, 4]])
    }
    const { next_cursor } = await shop({ limit: 1 })
    for (const cursor of [
      'zz',
      `${next_cursor}x`,
      `${next_cursor}-junk`,
      '-',
      `zzzzzzz-${String(next_cursor).split('-')[1]}`,
    ]) {
      const body = { query: 'Lampe', sections: ['products'], products: { cursor } }
      const [fault] = (await call(RICH, body, 422)).detail
      assert.deepEqual([fault.loc, fault.type], [['body', 'products', 'cursor'], 'cursor_invalid'])
    }
    const other = { query: 'Licht', sections: ['products'], products: { cursor: next_cursor } }
    assert.equal((await call(RICH, other, 422)).detail[0].type, 'cursor_invalid')
  })

  test('an option of the whole search holds for each section, unless the section says otherwise', async () => {
    const { sections } = await call(RICH, {
      query: 'Lampe',
      limit: 1,
      excerpt: { length: 50 },
      sort: { field: 'title', order: 'desc' },
      facets: [{ field: 'language' }],
      knowledge: { sort: { field: 'title' }, fields: ['title'], limit: 2 },
    })
    const [products, entries] = sections
    assert.deepEqual([products.section, products.hits.length, products.total], ['products', 1, 4])
    assert.equal(products.hits[0].product.title, 'Gamma')
    assert.deepEqual(
      entries.hits.map(({ entry }: { entry: object }) => entry),
      [{ title: 'Anton' }, { title: 'Berta' }],
    )
    assert.ok(entries.hits[0].excerpt.text.length > 0 && products.hits[0].excerpt.matches.length > 0)
    assert.equal(entries.facets[0].values[0].value, 'de')
  })

  test('an empty query finds everything that passes the filters, last changed first, with its facets', async () => {
    const options = { filter: { field: 'metadata.owner', exists: true }, facets: [{ field: 'metadata.owner' }] }
    const body = { sections: ['knowledge'], include_total: true, knowledge: options, min_relevance: 0.5 }
    const [{ hits, total, facets }] = (await call(RICH, body)).sections
    assert.equal(total, 5)
    assert.deepEqual(facets[0].values[0], { value: 'Ann', count: 3 })
    const changed = hits.map(({ entry }: { entry: { updated_at: string } }) => entry.updated_at)
    assert.deepEqual(changed, changed.toSorted().reverse())
    for (const query of ['', ' ']) {
      for (const mode of ['keyword', 'semantic']) {
        const again = (await call(RICH, { ...body, query, mode })).sections
        assert.deepEqual(titlesOf(again[0]), titlesOf({ hits }), `${mode} "${query}"`)
      }
    }
    const [products, entries] = (await call(RICH, { include_total: true })).sections
    assert.deepEqual([products.total, entries.total], [4, 5])
    assert.equal((await call(`${ENTRIES}/search`, { query: '', mode: 'hybrid' }, 422)).detail[0].loc[1], 'query')
    assert.equal((await call(`${ENTRIES}/search`, { query: ' ', mode: 'keyword' })).length, 5)
  })

  test('the options of a section are checked, whether it is searched or not, and a fault names its section', async () => {
    const faults = async (body: object) =>
      (await call(RICH, { query: 'Lampe', ...body }, 422)).detail.map(
        ({ loc, msg }: { loc: string[]; msg: string }) => [loc.join('.'), /\(section (\w+)\)$/.exec(msg)?.[1] ?? null],
      )
    const filter = { field: 'nope', exists: true }
    assert.deepEqual(await faults({ sections: ['knowledge'], products: { filter } }), [
      ['body.products.filter.field', null],
    ])
    const knowledge = { facets: [{ field: 'title' }] }
    assert.deepEqual(await faults({ sections: ['products'], knowledge }), [['body.knowledge.facets.0.field', null]])
    assert.deepEqual(await faults({ sort: { field: 'price' } }), [['body.sort.field', 'knowledge']])
    assert.deepEqual(await faults({ sort: { field: 'price' }, sections: ['knowledge'] }), [['body.sort.field', null]])
  })

  test('a search without options answers with the same fields as before there were any', async () => {
    const { sections } = await call(RICH, { query: 'Lampe Anleitung' })
    assert.deepEqual(sections.map(Object.keys), [
      ['section', 'hits'],
      ['section', 'hits'],
    ])
    assert.deepEqual(Object.keys(sections[1].hits[0]), ['entry', 'similarity', 'score', 'rank', 'section'])
    const counted = await call(RICH, { query: 'Lampe', include_total: true, sections: ['products'] })
    assert.deepEqual(Object.keys(counted.sections[0]), ['section', 'hits', 'total', 'next_cursor'])
  })

  test('a fault is named where it stands: at the top, in a section, in one of several searches', async () => {
    const filter = {
      all: [
        { field: 'language', any_of: ['de'] },
        { field: 'colour', any_of: ['red'] },
      ],
    }
    const locs = async (path: string, body: object) =>
      (await call(path, body, 422)).detail.map(({ loc }: Fault) => loc.join('.'))
    assert.deepEqual(await locs(`${ENTRIES}/search`, { query: 'x', filter }), ['body.filter.all.1.field'])
    assert.deepEqual(await locs(`${PRODUCTS}/search`, { query: 'x', filter }), ['body.filter.all.1.field'])
    assert.deepEqual(await locs(RICH, { query: 'x', filter }), ['body.filter.all.1.field'])
    assert.deepEqual(await locs(RICH, { query: 'x', knowledge: { filter } }), ['body.knowledge.filter.all.1.field'])
    assert.deepEqual(await locs(RICH, { query: 'x', products: { sort: { field: 'brand' } } }), [
      'body.products.sort.field',
    ])
    assert.deepEqual(await locs(RICH, { query: 'x', facets: [{ field: 'colour' }] }), ['body.facets.0.field'])
    const searches = [{ query: 'x' }, { query: 'x', knowledge: { filter } }]
    assert.deepEqual(await locs(MULTI, { searches }), ['body.searches.1.knowledge.filter.all.1.field'])
    assert.deepEqual(await locs(MULTI, { searches: [{ query: 'x' }, { query: null }] }), ['body.searches.1.query'])
    assert.deepEqual(await locs(MULTI, { searches: [{ query: 'x', site_id: 'none' }] }), ['body.searches.0.site_id'])
    const unknown = { field: 'category_id', any_of: [ids.Technik, UNKNOWN] }
    const [fault] = (await call(`${ENTRIES}/search`, { query: 'x', filter: unknown }, 422)).detail
    assert.deepEqual([fault.loc, fault.type], [['body', 'filter', 'any_of', '1'], 'reference_not_found'])
  })

  test('several searches in one call have the answers that each has alone', async () => {
    const searches = [
      { query: 'Lampe', sections: ['products'], products: { fields: ['title'], sort: { field: 'price' } } },
      { query: 'Anleitung', sections: ['knowledge'], include_total: true },
      ...Array.from({ length: 6 }, (_, i) => ({ query: `Anleitung ${i}`, excerpt: {} })),
    ]
    const { answers } = await call(MULTI, { searches })
    assert.equal(answers.length, searches.length)
    for (const [i, search] of searches.entries()) {
      const alone = await call(RICH, search)
      assert.deepEqual(answers[i].sections, alone.sections)
      assert.notEqual(answers[i].search_log_id, alone.search_log_id)
    }
    const key = await service.key(['products:read'])
    const refused = await service.call('POST', MULTI, { key, body: { searches } })
    assert.deepEqual([refused.status, refused.body.detail[0].loc], [403, ['body', 'searches', '1', 'sections']])
  })

  test('several searches in one call correct few misspelt words together, and each at least one', async () => {
    const misspelt = (query: string) => ({ query, mode: 'keyword', sections: ['products'], include_total: true })
    const answered = async (count: number, query: string) => {
      const { answers } = await call(MULTI, { searches: Array.from({ length: count }, () => misspelt(query)) })
      return answers.at(-1).sections
    }
    const [one, two] = ['Lampr', 'Lampr Lampf']
    const [alone, both] = [(await call(RICH, misspelt(one))).sections, (await call(RICH, misspelt(two))).sections]
    assert.deepEqual([alone[0].total, both[0].total], [4, 4])
    assert.deepEqual([await answered(20, one), await answered(3, two)], [alone, both])
    assert.equal((await answered(20, two))[0].total, 0, 'the second word is looked for as it was typed')
  })

  test('answers that are too large together are refused, with what to do', async () => {
    const content = `Riesig. ${'x'.repeat(900_000)}`
    for (let i = 0; i < 3; i++) {
      const body = { title: `Riese ${i}`, content: 'Riesig.', category_id: ids.Personal }
      const creation = await service.call('POST', ENTRIES, { body })
      assert.equal(creation.status, 201)
      // Stored directly, because the service would analyse and embed the text.
      await service.database.queries
        .updateTable('entries')
        .set({ content })
        .where('id', '=', creation.body.id)
        .execute()
    }
    const giants = { query: 'Riesig', mode: 'keyword', sections: ['knowledge'] }
    const { detail } = await call(MULTI, { searches: [giants, giants, giants, giants, giants] }, 422)
    assert.deepEqual([detail[0].loc, detail[0].type], [['body', 'searches'], 'answers_too_large'])
    const small = { ...giants, knowledge: { fields: ['title'] } }
    assert.equal((await call(MULTI, { searches: Array.from({ length: 20 }, () => small) })).answers.length, 20)
  })
})
