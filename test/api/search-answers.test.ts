import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { onAnyDatabase } from '../support/databases.ts'
import type { TestService } from '../support/service.ts'
import { joinService } from '../support/shared-service.ts'

const ENTRIES = '/api/knowledge/knowledge-entries'
const PRODUCTS = '/api/knowledge/products'
const FILLER = 'Der Tag war lang und das Wetter war gut. '

interface Excerpt {
  text: string
  matches: { start: number; end: number }[]
}

const wordsOf = ({ text, matches }: Excerpt) => matches.map(({ start, end }) => text.slice(start, end))

onAnyDatabase('what a search answers', (kind) => {
  let service: TestService
  let category: string
  const ids: Record<string, string> = {}

  before(async () => {
    service = await joinService(kind)
    category = await service.category('Handbuch')
    const put = async (name: string, fields: object) => {
      const answer = await service.call('POST', ENTRIES, { body: { category_id: category, ...fields } })
      assert.equal(answer.status, 201, JSON.stringify(answer.body))
      ids[name] = answer.body.id
    }
    await put('urlaub', {
      title: 'Urlaub beantragen',
      content: `# Urlaub\n\n${FILLER.repeat(30)}Den **Antrag** auf [Urlaub](x.md) stellen Sie im Portal. ${FILLER.repeat(30)}`,
      tags: ['hr'],
    })
    await put('lang', {
      title: 'Handbuch der Anlage',
      content: `${FILLER.repeat(4_000)}Die Quastenflosserpumpe steht im Keller. ${FILLER.repeat(100)}`,
    })
    const site = (await service.call('POST', '/api/knowledge/sites', { body: { name: 'Laden', slug: 'laden' } })).body
    ids.site = site.id
    const product = {
      title: 'Akkuschrauber',
      language: 'de',
      external_id: 'a1',
      short_description: 'Kräftiger Schrauber.',
      description: `<p>${FILLER.repeat(20)}Das <b>Ladegerät</b> liegt bei.</p>`,
      price_current: 99.9,
      price_special: 79,
      attributes: { Farbe: 'rot' },
    }
    const answer = await service.call('POST', `${PRODUCTS}?site_id=laden`, { body: product })
    assert.ok(answer.status < 300, JSON.stringify(answer.body))
  })
  after(() => service.stop())

  const search = async (path: string, body: object, status = 200) => {
    const answer = await service.call('POST', path, { body })
    assert.equal(answer.status, status, JSON.stringify(answer.body))
    return answer.body
  }
  const entries = (body: object, status?: number) => search(`${ENTRIES}/search`, body, status)
  const products = (body: object, status?: number) => search(`${PRODUCTS}/search`, body, status)

  test('a hit has the fields that were asked for and no others, with the values of the whole entry', async () => {
    const whole = (await service.call('GET', `${ENTRIES}/${ids.urlaub}`)).body
    const fields = ['title', 'tags', 'created_at', 'metadata', 'version']
    for (const mode of ['semantic', 'keyword', 'hybrid']) {
      const [hit] = await entries({ query: 'Urlaub Antrag', mode, tags: ['hr'], fields })
      assert.deepEqual(hit.entry, Object.fromEntries(fields.map((field) => [field, whole[field]])))
      assert.equal('score' in hit, mode !== 'semantic')
      const all = await entries({ query: 'Urlaub Antrag', mode, tags: ['hr'], fields: Object.keys(whole) })
      assert.deepEqual(all[0].entry, whole)
    }
    const [explained] = await entries({ query: 'Urlaub', mode: 'hybrid', tags: ['hr'], fields: ['id'], explain: true })
    assert.deepEqual(explained.entry, { id: ids.urlaub })
    const { start, end, text } = explained.explanation.passage
    assert.equal(text, whole.content.slice(start, end))
  })

  test('an excerpt is plain text around the words of the query, as long as asked, with their places', async () => {
    for (const mode of ['keyword', 'hybrid']) {
      const [{ entry, excerpt }] = await entries({
        query: 'Anträge auf Urlaub',
        mode,
        tags: ['hr'],
        fields: ['id'],
        excerpt: { length: 80 },
      })
      assert.equal(entry.id, ids.urlaub)
      assert.deepEqual(wordsOf(excerpt), ['Antrag', 'Urlaub'])
      assert.ok(excerpt.text.includes('Den Antrag auf Urlaub stellen Sie im Portal.'), excerpt.text)
      assert.ok(excerpt.text.length <= 80)
    }
    const [{ excerpt }] = await entries({ query: 'Urlaub', tags: ['hr'], excerpt: {} })
    assert.ok(excerpt.text.length > 80 && excerpt.text.length <= 200)
    assert.equal((await entries({ query: 'Urlaub' }))[0].excerpt, undefined)
  })

  test('an excerpt marks what the search found, also by a mistyped word, a beginning or a synonym', async () => {
    const { body: entry } = await service.call('POST', ENTRIES, {
      body: { category_id: category, title: 'Zoo', content: 'Dort steht eine Giraffe.', tags: ['zoo'], language: 'de' },
    })
    for (const request of [
      { query: 'Girafe', typo_tolerance: true },
      { query: 'Gira', prefix: true },
    ]) {
      for (const fields of [undefined, ['id']]) {
        const [{ excerpt }] = await entries({ ...request, mode: 'keyword', fields, excerpt: {} })
        assert.deepEqual(wordsOf(excerpt), ['Giraffe'], request.query)
      }
    }
    const product = { title: 'Zoo', description: 'Eine Giraffe aus Holz.', language: 'de', external_id: 'zoo' }
    await service.call('POST', `${PRODUCTS}?site_id=laden`, { body: product })
    const words = { synonyms: [{ words: ['Langhals', 'Giraffe'] }], stop_words: [] }
    const taken = await service.call('PUT', '/api/knowledge/search-vocabulary', { body: words })
    assert.equal(taken.status, 200, JSON.stringify(taken.body))
    for (const query of ['Girafe', 'Gira', 'Langhals']) {
      for (const explain of [true, false]) {
        const { hits } = await products({ query, mode: 'keyword', prefix: true, explain, excerpt: {} })
        assert.deepEqual(wordsOf(hits[0].excerpt), ['Giraffe'], query)
      }
    }
    await service.call('DELETE', `${ENTRIES}/${entry.id}`)
  })

  test('an excerpt does not begin with a heading that repeats the title, and ends without a mark where the text ends', async () => {
    const ids: string[] = []
    const write = async (title: string, content: string) => {
      const body = { category_id: category, title, content, tags: ['titled'], language: 'de' }
      ids.push((await service.call('POST', ENTRIES, { body })).body.id)
    }
    await write('Rücksendung', '# Rücksendung\n\nDas Paket kommt mit der Post zurück.\n')
    await write('Rücksendung lang', `# Rücksendung lang\n\nDas Paket zuerst. ${FILLER.repeat(3_000)}`)
    await write('Nur ein Titel', '# Nur ein Titel\n')
    for (const mode of ['semantic', 'keyword', 'hybrid']) {
      for (const query of ['Rücksendung Paket', 'Titel']) {
        for (const { entry, excerpt } of await entries({ query, mode, tags: ['titled'], excerpt: {} })) {
          const { title } = entry
          const { text } = excerpt
          if (title === 'Rücksendung') assert.equal(text, 'Das Paket kommt mit der Post zurück.', mode)
          else if (title === 'Nur ein Titel') assert.equal(text, 'Nur ein Titel', mode)
          else assert.ok(!text.startsWith('Rücksendung'), `${mode}: ${text}`)
          const again = (await entries({ query, mode, tags: ['titled'], excerpt: {} })) as (typeof excerpt)[]
          assert.ok(
            again.some((hit) => hit.excerpt.text === text),
            'the same from the cache',
          )
        }
      }
    }
    for (const id of ids) await service.call('DELETE', `${ENTRIES}/${id}`)
  })

  test('a word far behind in a long content is found', async () => {
    const [{ entry, excerpt }] = await entries({
      query: 'Quastenflosserpumpe',
      mode: 'keyword',
      fields: ['id'],
      excerpt: {},
    })
    assert.equal(entry.id, ids.lang)
    assert.deepEqual(wordsOf(excerpt), ['Quastenflosserpumpe'])
  })

  test('a list of ten hits with excerpts and fields has less than 8 kB', async () => {
    for (let i = 0; i < 10; i++) {
      const body = { title: `Notiz ${i}`, content: `Kaffeemaschine. ${FILLER.repeat(400)}`, category_id: category }
      assert.equal((await service.call('POST', ENTRIES, { body })).status, 201)
    }
    const fields = ['id', 'title', 'category_id', 'source_reference', 'updated_at']
    const hits = await entries({ query: 'Kaffeemaschine', mode: 'hybrid', fields, excerpt: {} })
    assert.equal(hits.length, 10)
    assert.ok(JSON.stringify(hits).length < 8_000, `${JSON.stringify(hits).length}`)
  })

  test('products have chosen fields and excerpts of their descriptions, explained or not', async () => {
    const fields = ['title', 'price_effective', 'attributes', 'has_similarity_anchor']
    for (const explain of [false, true]) {
      const { hits, total } = await products({ query: 'Ladegerät', fields, excerpt: { length: 60 }, explain })
      assert.equal(total, 1)
      const [{ product, excerpt, rank, explanation }] = hits
      const chosen = { price_effective: '79', attributes: { Farbe: 'rot' }, has_similarity_anchor: false }
      assert.deepEqual(product, { title: 'Akkuschrauber', ...chosen })
      assert.deepEqual(wordsOf(excerpt), ['Ladegerät'])
      assert.ok(excerpt.text.includes('Das Ladegerät liegt bei.') && excerpt.text.length <= 60, excerpt.text)
      assert.equal(rank, 1)
      assert.equal(explanation !== undefined, explain)
    }
  })

  test('an excerpt of a very long description is found, whichever texts the search chose', async () => {
    const description = `Der Wandhaken hält Fahrräder. ${'Er ist aus Stahl. '.repeat(5_000)}`
    const product = { title: 'Halter', short_description: 'Ein Halter.', description, language: 'de' }
    const creation = await service.call('POST', `${PRODUCTS}?site_id=laden`, { body: product })
    assert.equal(creation.status, 201)
    for (const fields of [['id'], ['short_description'], ['description']]) {
      const { hits } = await products({ query: 'Wandhaken', fields, excerpt: { length: 80 } })
      assert.deepEqual(wordsOf(hits[0].excerpt), ['Wandhaken'], fields[0])
    }
    assert.equal((await service.call('DELETE', `${PRODUCTS}/${creation.body.id as string}`)).status, 204)
  })

  test('an excerpt that is too short or too long, and an unknown field, are refused by name', async () => {
    for (const [length, type] of [
      [49, 'greater_than_equal'],
      [1_001, 'less_than_equal'],
    ] as const) {
      for (const ask of [entries, products]) {
        const [fault] = (await ask({ query: 'Urlaub', excerpt: { length } }, 422)).detail
        assert.deepEqual([fault.loc, fault.type], [['body', 'excerpt', 'length'], type])
      }
    }
    const [fault] = (await entries({ query: 'Urlaub', fields: ['title', 'colour'] }, 422)).detail
    assert.deepEqual([fault.loc, fault.type], [['body', 'fields', '1'], 'enum'])
  })
})
