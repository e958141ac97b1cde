import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { onAnyDatabase } from '../support/databases.ts'
import type { TestService } from '../support/service.ts'
import { joinService } from '../support/shared-service.ts'

const ENTRIES = '/api/knowledge/knowledge-entries'
const PRODUCTS = '/api/knowledge/products'
const RICH = '/api/knowledge/search'
const MULTI = '/api/knowledge/multi-search'

interface Hit {
  readonly relevance?: number
  readonly entry?: { readonly title: string; readonly category_path?: readonly string[] }
  readonly product?: { readonly title: string }
}

interface Section {
  readonly section: string
  readonly hits: readonly Hit[]
  readonly total?: number
  readonly next_cursor?: string | null
  readonly redirect?: string
  readonly did_you_mean?: string
}

onAnyDatabase('the rich search with the options of the searches of entries and of products', (kind) => {
  let service: TestService

  before(async () => {
    service = await joinService(kind)
    const outer = await service.category('Handbuch')
    const inner = { name: 'Technik', parent_id: outer }
    const { body: category } = await service.call('POST', '/api/knowledge/categories', { body: inner })
    const entry = async (fields: object) => {
      const answer = await service.call('POST', ENTRIES, { body: { category_id: category.id, ...fields } })
      assert.equal(answer.status, 201, JSON.stringify(answer.body))
      return answer.body
    }
    await entry({ title: 'Pumpe entlüften', content: 'Die Pumpe und ihr Ventil.', language: 'de' })
    const { translation_group_id } = await entry({ title: 'Ventil', content: 'Ventilator Modul', language: 'de' })
    await entry({ title: 'Valve', content: 'Ventilator Modul', language: 'en-GB', translation_group_id })
    const { body: site } = await service.call('POST', '/api/knowledge/sites', {
      body: { name: 'Laden', slug: 'laden' },
    })
    for (const title of ['Staubsauger', 'Pumpe']) {
      const body = { title, language: 'de', external_id: title, description: `${title} aus Stahl` }
      assert.equal((await service.call('POST', `${PRODUCTS}?site_id=laden`, { body })).status, 201)
    }
    const rule = { name: 'Returns', action: 'redirect', query: 'Rückgabe', address: '/returns' }
    const creation = await service.call('POST', `/api/knowledge/sites/${site.id}/merchandising`, { body: rule })
    assert.equal(creation.status, 201, JSON.stringify(creation.body))
  })
  after(() => service.stop())

  const search = async (body: object, headers = {}): Promise<Section[]> => {
    const answer = await service.call('POST', RICH, { body, headers })
    assert.equal(answer.status, 200, JSON.stringify(answer.body))
    const multi = await service.call('POST', MULTI, { body: { searches: [body] }, headers })
    assert.deepEqual(multi.body.answers[0].sections, answer.body.sections)
    return answer.body.sections
  }
  const nonsense = 'zzzz qqqq xxyy'

  test('says how relevant hits are, and leaves less relevant ones out of every count', async () => {
    const [products, entries] = await search({ query: 'Pumpe', relevance: true })
    for (const { hits } of [products, entries]) assert.ok(hits.every(({ relevance }) => typeof relevance === 'number'))
    assert.ok(products.hits[0].relevance! > 0.2 && entries.hits[0].relevance! > 0.2)
    for (const { hits, total, next_cursor } of await search({ query: nonsense, min_relevance: 0.2 })) {
      assert.deepEqual([hits, total, next_cursor], [[], 0, null])
    }
    assert.ok((await search({ query: nonsense, include_total: true })).some(({ total }) => total! > 0))
  })

  test('lets a section ask for another relevance than the whole search, or for none', async () => {
    const [products, entries] = await search({
      query: nonsense,
      min_relevance: 0.2,
      knowledge: { min_relevance: null, relevance: false },
    })
    assert.equal(products.total, 0)
    assert.ok(entries.total! > 0)
    assert.ok(entries.hits.every((hit) => hit.relevance === undefined))
    const { status, body } = await service.call('POST', RICH, {
      body: { query: 'x', knowledge: { min_relevance: 2 } },
    })
    assert.deepEqual([status, body.detail[0].loc], [422, ['body', 'knowledge', 'min_relevance']])
  })

  test('says in each section without hits how the query may have been meant', async () => {
    const request = { query: 'Staubsuager', mode: 'keyword', min_relevance: 1, sections: ['products'] }
    const all = await search({ ...request, products: { filter: { field: 'brand', any_of: ['None'] } } })
    assert.deepEqual([all[0].total, all[0].did_you_mean], [0, 'Staubsauger'])
    const entries = await search({ query: 'entlüfetn', mode: 'keyword', relevance: true, sections: ['knowledge'] })
    assert.deepEqual([entries[0].total, entries[0].did_you_mean], [0, 'entlüften'])
    const inText = { query: 'Ventlator Modlu', mode: 'keyword', relevance: true, sections: ['knowledge'] }
    assert.equal((await search(inText))[0].did_you_mean, 'Ventilator Modul', 'words that no title has')
    const apart = { query: 'staubsager pumppe', mode: 'keyword', relevance: true, min_relevance: 1 }
    const filter = { field: 'brand', any_of: ['None'] }
    const [products] = await search({ ...apart, sections: ['products'], products: { filter } })
    assert.equal(products.did_you_mean, 'Staubsauger Pumpe', 'words that no product has together')
    const [plain] = await search({ query: 'entlüfetn', mode: 'keyword', sections: ['knowledge'], include_total: true })
    assert.ok(!('did_you_mean' in plain))
  })

  test('answers with the redirect of a rule of the site, and without one when there is no rule', async () => {
    const [led] = await search({ query: 'Rückgabe', site_id: 'laden', sections: ['products'] })
    assert.equal(led.redirect, '/returns')
    assert.deepEqual(Object.keys(led), ['section', 'hits', 'redirect'])
    for (const other of [{ query: 'Pumpe', site_id: 'laden' }, { query: 'Rückgabe' }]) {
      const [section] = await search({ ...other, sections: ['products'] })
      assert.ok(!('redirect' in section))
    }
  })

  test('answers with the path of the category of each entry, also with chosen fields', async () => {
    for (const fields of [undefined, ['title']]) {
      const knowledge = { include_category_path: true, fields }
      const [{ hits }] = await search({ query: 'Pumpe', mode: 'keyword', sections: ['knowledge'], knowledge })
      assert.deepEqual(hits[0].entry!.category_path, ['Handbuch', 'Technik'])
    }
  })

  test('shows one entry of a translation group, in the language of the caller', async () => {
    const request = {
      query: 'Modul',
      mode: 'keyword',
      sections: ['knowledge'],
      knowledge: { group_translations: true },
    }
    for (const [accepted, title] of [
      ['en-US,en;q=0.9', 'Valve'],
      ['de', 'Ventil'],
    ]) {
      const [{ hits, total }] = await search(request, { 'accept-language': accepted })
      assert.deepEqual([hits.map(({ entry }) => entry!.title), total], [[title], 1])
    }
    const [both] = await search({ ...request, knowledge: {} })
    assert.equal(both.total, 2)
  })

  test('does not take a cursor for a search with another relevance or grouping', async () => {
    const request = { query: 'Modul', mode: 'keyword', sections: ['knowledge'], limit: 1, include_total: true }
    const [{ next_cursor: cursor }] = await search(request)
    for (const knowledge of [
      { cursor, min_relevance: 0.1 },
      { cursor, group_translations: true },
    ]) {
      const { status, body } = await service.call('POST', RICH, { body: { ...request, knowledge } })
      assert.deepEqual([status, body.detail[0].type], [422, 'cursor_invalid'])
    }
    const [{ hits }] = await search({ ...request, knowledge: { cursor } })
    assert.equal(hits.length, 1)
  })
})
