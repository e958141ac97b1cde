import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { onAnyDatabase } from '../support/databases.ts'
import type { TestService } from '../support/service.ts'
import { joinService } from '../support/shared-service.ts'

const ENTRIES = '/api/knowledge/knowledge-entries'

interface Suggestions {
  readonly completions: string[]
  readonly brands: { readonly value: string; readonly count: number }[]
  readonly categories: { readonly value: string; readonly count: number }[]
  readonly products: { readonly id: string; readonly title: string }[]
  readonly entries?: { readonly id: string; readonly title: string }[]
}

const NOTHING: Suggestions = { completions: [], brands: [], categories: [], products: [], entries: [] }

onAnyDatabase('suggestions', (kind) => {
  let service: TestService
  const ids: Record<string, string> = {}

  const put = async (title: string, fields: object = {}) => {
    const body = { title, content: 'Näheres steht hier.', category_id: ids.category, ...fields }
    const answer = await service.call('POST', ENTRIES, { body })
    assert.equal(answer.status, 201, JSON.stringify(answer.body))
    ids[title] = answer.body.id
  }
  const suggest = async (q: string, more = '', key = service.adminKey) => {
    const query = `q=${encodeURIComponent(q)}&section=knowledge${more}`
    const answer = await service.call('GET', `/api/knowledge/suggest?${query}`, { key })
    assert.equal(answer.status, 200, JSON.stringify(answer.body))
    return answer.body as Suggestions
  }
  const titles = ({ entries = [] }: Suggestions) => entries.map(({ title }) => title).sort()

  before(async () => {
    service = await joinService(kind)
    ids.category = await service.category('Handbuch')
    ids.site = (await service.call('POST', '/api/knowledge/sites', { body: { slug: 'shop', name: 'Shop' } })).body.id
    await put('Reisekosten abrechnen')
    await put('Reisekosten im Ausland')
    await put('Request vacation', { language: 'en' })
    await put('Reisepläne der Geschäftsführung', { visibility: 'restricted' })
    await service.call('POST', `/api/knowledge/sites/${ids.site}/knowledge`, {
      body: { entry_ids: [ids['Reisekosten im Ausland']] },
    })
    const product = { title: 'Reiseadapter Europa', language: 'de', external_id: 'r-1', brand: 'Reisefreund' }
    await service.call('POST', '/api/knowledge/products?site_id=shop', { body: product })
  })
  after(() => service.stop())

  test('entries are suggested by the beginning of a word, with completions from their titles', async () => {
    const { entries, ...others } = await suggest('reiseko')
    assert.deepEqual(
      entries!.find(({ title }) => title === 'Reisekosten abrechnen'),
      {
        id: ids['Reisekosten abrechnen'],
        title: 'Reisekosten abrechnen',
        type: 'knowledge',
        language: 'de',
        category_id: ids.category,
      },
    )
    assert.equal(entries!.length, 2)
    assert.deepEqual(others, { completions: ['Reisekosten'], brands: [], categories: [], products: [] })
    assert.deepEqual((await suggest('reisekosten im Au')).completions, ['reisekosten im Ausland'])
    assert.equal((await suggest('reiseko', '&limit=1')).entries!.length, 1)
    // Nothing disappears while a word is typed past its stem.
    for (const typed of ['vacat', 'vacati', 'vacatio', 'vacation']) {
      assert.deepEqual(titles(await suggest(typed)), ['Request vacation'], typed)
    }
  })

  test('titles that have the typed words come before entries that have them elsewhere', async () => {
    const content = 'Gleitzeit Gleitzeit Gleitzeit Gleitzeit'
    for (const title of ['Arbeitszeit', 'Pausen']) await put(title, { content, search_keywords: ['Gleitzeit'] })
    await put('Regeln für Gleitzeit', {
      content: 'Sie gilt für alle, mit vielen Worten darum herum gesagt und erklärt.',
    })
    const { entries } = await suggest('gleitz')
    assert.deepEqual([entries!.length, entries![0].title], [3, 'Regeln für Gleitzeit'])
  })

  test('of several words all must be there, where some entry has them all', async () => {
    assert.deepEqual(titles(await suggest('reisekosten ausl')), ['Reisekosten im Ausland'])
    assert.deepEqual(titles(await suggest('abrechnen vac')), ['Reisekosten abrechnen', 'Request vacation'])
  })

  test('a mistyped word of four letters or more is corrected, whether it is finished or not', async () => {
    for (const typed of ['reisekotsen', 'reiesko', 'risek']) {
      const suggestions = await suggest(typed)
      assert.deepEqual(suggestions.completions, ['Reisekosten'], typed)
      assert.deepEqual(titles(suggestions), ['Reisekosten abrechnen', 'Reisekosten im Ausland'], typed)
    }
    assert.deepEqual((await suggest('reqeust')).completions, ['Request'])
    assert.deepEqual((await suggest('reisekotsen abrec')).completions, ['Reisekosten abrechnen'])
    assert.deepEqual(titles(await suggest('riz')), [])
  })

  test('neither titles nor completions nor corrections come from entries that the caller may not see', async () => {
    const reader = await service.key(['knowledge:read', 'visibility:internal'])
    assert.deepEqual((await suggest('reisepl')).completions, ['Reisepläne'])
    for (const typed of ['reisepl', 'reisepalene', 'geschäf', 'geschaftsführu']) {
      assert.equal((await suggest(typed)).entries!.length, 1, typed)
      assert.deepEqual(await suggest(typed, '', reader), NOTHING)
    }
    // Cached for callers who may see it, and shown to no other caller.
    assert.deepEqual((await suggest('reise', '', reader)).completions, ['Reisekosten'])
    const other = await service.tenant('other')
    const stranger = await service.key(['knowledge:read', 'visibility:restricted'], other)
    assert.deepEqual(titles(await suggest('reise', '', stranger)), [])
  })

  test('without a section a key gets products, or entries where it may read those alone', async () => {
    const ask = (key?: string) => service.call('GET', '/api/knowledge/suggest?q=reise', { key })
    const { body: usual } = await ask()
    assert.deepEqual([usual.products.length, 'entries' in usual], [1, false])
    const reader = await service.key(['knowledge:read', 'visibility:internal'])
    const { status, body } = await ask(reader)
    assert.deepEqual([status, body.products], [200, []])
    assert.deepEqual(titles(body), ['Reisekosten abrechnen', 'Reisekosten im Ausland'])
    assert.equal((await ask(await service.key(['sites:read']))).status, 403)
  })

  test('completions stay after a space, and a word in another form finds its title first', async () => {
    assert.deepEqual((await suggest('reisekosten ')).completions, ['Reisekosten im', 'Reisekosten abrechnen'])
    assert.deepEqual((await suggest('reisekotsen ')).completions, ['Reisekosten im', 'Reisekosten abrechnen'])
    await put('Kubernetes', { language: 'en' })
    await put('Monitoring and more monitoring', { language: 'en', content: 'Kubernetes Kubernetes Kubernetes' })
    const { completions, entries } = await suggest('kubernets')
    assert.deepEqual([completions, entries![0].title], [['Kubernetes'], 'Kubernetes'])
  })

  test('a site is suggested from as if there were no other entries', async () => {
    const suggestions = await suggest('reise', '&site_id=shop')
    assert.deepEqual([titles(suggestions), suggestions.completions], [['Reisekosten im Ausland'], ['Reisekosten']])
    assert.deepEqual(titles(await suggest('request', `&site_id=${ids.site}`)), [])
    const unknown = await service.call('GET', '/api/knowledge/suggest?q=a&site_id=nowhere')
    assert.deepEqual([unknown.status, unknown.body.detail[0].loc], [422, ['query', 'site_id']])
  })

  test('products and entries are suggested together, and products alone where nothing is said', async () => {
    const both = await suggest('reise', '&section=products')
    assert.deepEqual(both.completions, ['Reisekosten', 'Reisepläne', 'Reiseadapter'])
    assert.deepEqual(both.brands, [{ value: 'Reisefreund', count: 1 }])
    assert.deepEqual([both.products.length, both.entries!.length], [1, 3])
    const { body } = await service.call('GET', '/api/knowledge/suggest?q=reise')
    assert.deepEqual(Object.keys(body), ['completions', 'brands', 'categories', 'products'])
    assert.deepEqual(body.completions, ['Reiseadapter'])
  })

  test('brands and categories are suggested for a mistyped word, too', async () => {
    const product = {
      title: 'Schwenker',
      language: 'de',
      external_id: 'm-1',
      brand: 'Makita',
      category: 'Winkelschleifer',
    }
    await service.call('POST', '/api/knowledge/products?site_id=shop', { body: product })
    const names = async (q: string) => {
      const { brands, categories } = await suggest(q, '&section=products')
      return [brands, categories].flat().map(({ value, count }) => `${value} ${count}`)
    }
    for (const typed of ['makita', 'maktia', 'mkaita', 'makti'])
      assert.deepEqual(await names(typed), ['Makita 1'], typed)
    for (const typed of ['winkelschl', 'winkleschl']) assert.deepEqual(await names(typed), ['Winkelschleifer 1'], typed)
    // A word that occurs is not corrected, and no brand of another site is suggested.
    assert.deepEqual(await names('schwenker'), [])
    const { body } = await service.call('GET', '/api/knowledge/suggest?q=maktia&site_id=default')
    assert.deepEqual(body.brands, [])
  })

  test('a title is suggested as it was last written, and not once its entry is deleted', async () => {
    await put('Quittung einreichen')
    assert.deepEqual((await suggest('qui')).completions, ['Quittung'])
    const path = `${ENTRIES}/${ids['Quittung einreichen']}`
    await service.call('PATCH', path, { body: { title: 'Quittungen sammeln' } })
    assert.deepEqual((await suggest('qui')).completions, ['Quittungen'])
    await service.call('DELETE', path)
    assert.deepEqual(await suggest('qui'), NOTHING)
  })
})
