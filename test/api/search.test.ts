import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { BUILTIN_ID } from '../../src/embedding/builtin/builtin.ts'
import { onAnyDatabase } from '../support/databases.ts'
import type { TestService } from '../support/service.ts'
import { joinService } from '../support/shared-service.ts'

const ENTRIES = '/api/knowledge/knowledge-entries'
const SEARCH = `${ENTRIES}/search`

interface Hit {
  entry: { id: string; title: string; language: string; version: number }
  similarity: number
  score?: number
  relevance?: number
  explanation?: {
    bm25: number
    coverage: number | null
    vector_weight: number
    instead_of_coverage?: number
    title?: number
    terms: { term: string; typed?: string }[]
    passage: { start: number; end: number; text: string } | null
  }
}

onAnyDatabase('entry search', (kind) => {
  let service: TestService
  let category: string
  let child: string
  const ids: Record<string, string> = {}

  before(async () => {
    service = await joinService(kind)
    category = await service.category('Handbuch')
    child = (await service.call('POST', '/api/knowledge/categories', { body: { name: 'Reisen', parent_id: category } }))
      .body.id
    const put = async (name: string, fields: object) => {
      const answer = await service.call('POST', ENTRIES, { body: { category_id: category, ...fields } })
      assert.equal(answer.status, 201, JSON.stringify(answer.body))
      ids[name] = answer.body.id
      return answer.body
    }
    const holiday = await put('urlaub', {
      title: 'Urlaub beantragen',
      content: 'Wer Urlaub nehmen möchte, stellt den Antrag im Personalportal. Die Führungskraft genehmigt ihn.',
      tags: ['hr', 'urlaub'],
    })
    await put('vacation', {
      title: 'Request vacation',
      content: 'To take vacation, file the request in the staff portal. Your manager approves it.',
      language: 'en',
      translation_group_id: holiday.translation_group_id,
      tags: ['hr'],
    })
    await put('reise', {
      title: 'Reisekosten abrechnen',
      content: 'Belege werden mit dem Formular für Reisekosten eingereicht.',
      category_id: child,
      layer: 'finance',
    })
    await put('kabel', {
      title: 'Ersatzteil XK-4711',
      content: 'Das Kabel XK-4711 verbindet Akkuschrauber und Ladestation.',
      type: 'glossary',
      metadata: { term: 'XK-4711', synonyms: ['Ladekabel'] },
    })
    await put('secret', {
      title: 'Urlaub der Geschäftsführung',
      content: 'Urlaub nur nach Absprache.',
      visibility: 'restricted',
    })
  })
  after(() => service.stop())

  const search = async (body: object, options: { key?: string; headers?: Record<string, string> } = {}) => {
    const answer = await service.call('POST', SEARCH, { body, ...options })
    assert.equal(answer.status, 200, JSON.stringify(answer.body))
    return answer.body as Hit[]
  }
  const names = (hits: Hit[]) => hits.map((hit) => Object.keys(ids).find((name) => ids[name] === hit.entry.id))

  test('search by meaning finds an entry without a word of the query', async () => {
    const hits = await search({ query: 'freie Tage nehmen Ferien', language: 'de' })
    assert.ok(['urlaub', 'secret'].includes(names(hits)[0]!), names(hits).join())
    assert.equal(hits[0].score, undefined)
    const similarities = hits.map((hit) => hit.similarity)
    assert.deepEqual(
      similarities,
      similarities.toSorted((a, b) => b - a),
    )
  })

  test('a German question finds the English answer', async () => {
    assert.equal(names(await search({ query: 'Wie beantrage ich Urlaub?', language: 'en' }))[0], 'vacation')
  })

  test('keywords find inflected words, parts of compounds, part numbers and synonyms', async () => {
    const first = async (query: string) => names(await search({ query, mode: 'keyword' }))[0]
    assert.equal(await first('Anträge'), 'urlaub')
    assert.equal(await first('Schrauber mit Akku'), 'kabel')
    assert.equal(await first('xk-4711'), 'kabel')
    assert.equal(await first('Ladekabel'), 'kabel')
    assert.deepEqual(await search({ query: 'Quastenflosser', mode: 'keyword' }), [])
  })

  test('a mistyped or unfinished word finds what it stands for if the search asks for it, and explain says so', async () => {
    for (const mode of ['keyword', 'hybrid']) {
      const mistyped = { query: 'Reisekostne', mode, explain: true, limit: 1 }
      const [hit] = await search({ ...mistyped, typo_tolerance: true })
      assert.equal(hit.entry.id, ids.reise)
      const [{ term, typed }] = hit.explanation!.terms
      assert.deepEqual([term.startsWith('reisekost'), typed], [true, 'Reisekostne'])
      const [begun] = await search({ query: 'Personalpo', mode, prefix: true, explain: true, limit: 1 })
      assert.equal(begun.entry.id, ids.urlaub)
      assert.equal(begun.explanation!.terms[0].typed, 'Personalpo')
    }
    // The stems of both are far apart: "vacaiton" and "vacat".
    assert.deepEqual(names(await search({ query: 'vacaiton', mode: 'keyword', typo_tolerance: true })), ['vacation'])
    // As before where nothing is said, and for a word that the next character ends.
    assert.deepEqual(await search({ query: 'Reisekostne', mode: 'keyword' }), [])
    assert.deepEqual(await search({ query: 'Personalpo', mode: 'keyword' }), [])
    assert.deepEqual(await search({ query: 'Personalpo ', mode: 'keyword', prefix: true }), [])
    const semantic = await search({ query: 'Personalpo', typo_tolerance: true, prefix: true })
    assert.deepEqual(semantic, await search({ query: 'Personalpo' }))
  })

  test('a mistyped or unfinished word stands for no word of an entry that the caller may not see', async () => {
    const reader = await service.key(['knowledge:read', 'visibility:internal'])
    const request = { mode: 'keyword', typo_tolerance: true, prefix: true }
    for (const query of ['Geschaeftsfuerhung', 'Geschaeftsf']) {
      assert.deepEqual(names(await search({ ...request, query })), ['secret'])
      assert.deepEqual(await search({ ...request, query }, { key: reader }), [])
    }
  })

  test('hybrid search returns similarity and score, and explains both on request', async () => {
    const [hit] = await search({ query: 'Urlaub im Personalportal', mode: 'hybrid', explain: true, tags: ['urlaub'] })
    assert.equal(hit.entry.id, ids.urlaub)
    const explanation = hit.explanation!
    assert.ok(Math.abs(hit.score! - (explanation.coverage! + explanation.vector_weight * hit.similarity)) < 1e-9)
    assert.ok(explanation.bm25 > 0 && explanation.terms.length > 0)
    const { start, end, text } = explanation.passage!
    const entry = (await service.call('GET', `${ENTRIES}/${hit.entry.id}`)).body
    assert.equal(text, entry.content.slice(start, end))
  })

  test('a category, project or site that does not exist is reported, in a search and in a list', async () => {
    const unknown = '01900000-0000-7000-8000-000000000000'
    const restriction = { category_id: unknown, project_id: unknown, site_id: unknown }
    const expected = (part: string) => [
      { loc: [part, 'category_id'], msg: 'Category does not exist', type: 'reference_not_found' },
      { loc: [part, 'project_id'], msg: 'Project does not exist', type: 'reference_not_found' },
      { loc: [part, 'site_id'], msg: 'Site does not exist', type: 'reference_not_found' },
    ]
    const searched = await service.call('POST', SEARCH, { body: { query: 'Urlaub', ...restriction } })
    const listed = await service.call('GET', `${ENTRIES}?${new URLSearchParams(restriction).toString()}`)
    assert.deepEqual([searched.status, searched.body.detail], [422, expected('body')])
    assert.deepEqual([listed.status, listed.body.detail], [422, expected('query')])
  })

  test('every filter selects, and an empty list of tags is no filter', async () => {
    const only = async (filter: object) =>
      names(await search({ query: 'Urlaub Reisekosten Kabel', mode: 'hybrid', limit: 100, ...filter })).sort()
    assert.deepEqual(await only({ category_id: child }), ['reise'])
    assert.deepEqual((await only({ category_id: category })).includes('reise'), false)
    assert.deepEqual((await only({ category_id: category, include_descendants: true })).length, 5)
    assert.deepEqual(await only({ type: 'glossary' }), ['kabel'])
    assert.deepEqual(await only({ layer: 'finance' }), ['reise'])
    assert.deepEqual(await only({ tags: ['hr', 'none'] }), ['urlaub', 'vacation'])
    assert.equal((await only({ tags: [] })).length, 5)
    assert.deepEqual(await only({ language: 'en' }), ['vacation'])
    assert.deepEqual(await only({ visibility: 'restricted' }), ['secret'])
    assert.equal(
      (
        await only({
          category_id: null,
          type: null,
          layer: null,
          tags: null,
          language: null,
          visibility: null,
          project_id: null,
        })
      ).length,
      5,
    )
  })

  test('a filter by level never shows entries above the ceiling', async () => {
    const key = await service.key(['knowledge:read', 'visibility:internal'])
    assert.deepEqual(await search({ query: 'Urlaub', visibility: 'restricted', mode: 'hybrid' }, { key }), [])
    assert.ok(!names(await search({ query: 'Urlaub', mode: 'keyword' }, { key })).includes('secret'))
  })

  test('offset and limit select from one ranking, and a page is full while enough entries match', async () => {
    const all = names(await search({ query: 'Urlaub', limit: 100 }))
    assert.equal(all.length, 5)
    const paged = [
      ...(await search({ query: 'Urlaub', limit: 2 })),
      ...(await search({ query: 'Urlaub', limit: 3, offset: 2 })),
    ]
    assert.deepEqual(names(paged), all)
    assert.deepEqual(await search({ query: 'Urlaub', offset: 1000 }), [])
  })

  test('min_similarity compares the cosine in every mode', async () => {
    for (const mode of ['semantic', 'keyword', 'hybrid']) {
      const hits = await search({ query: 'Urlaub beantragen', mode, min_similarity: 0.5, limit: 100 })
      assert.ok(hits.length > 0)
      assert.ok(hits.every((hit) => hit.similarity >= 0.5))
    }
    assert.deepEqual(await search({ query: 'Urlaub', min_similarity: 1 }), [])
  })

  test('an entry in another language than the query is relevant by its meaning, and one about something else is not', async () => {
    for (const mode of ['semantic', 'hybrid']) {
      const english = { mode, language: 'en', min_relevance: 0.2 }
      assert.deepEqual(names(await search({ ...english, query: 'Urlaub für das nächste Jahr' })), ['vacation'])
      for (const query of ['Wie wird das Wetter morgen?', 'Wie backe ich einen Apfelkuchen?', 'Gänkelschnüff brößt']) {
        assert.deepEqual(await search({ ...english, query }), [], query)
      }
    }
  })

  test('relevance is comparable between queries, in every mode, and min_relevance drops what matches by chance', async () => {
    for (const mode of ['semantic', 'keyword', 'hybrid']) {
      const query = { query: 'Urlaub beantragen', mode, limit: 100 }
      assert.ok((await search(query)).every((hit) => hit.relevance === undefined))
      const all = await search({ ...query, relevance: true })
      assert.ok(all.every(({ relevance = -1 }) => relevance >= 0 && relevance <= 1))
      const relevant = await search({ ...query, min_relevance: 0.2 })
      assert.ok(relevant.length > 0)
      assert.deepEqual(names(relevant), names(all.filter((hit) => hit.relevance! >= 0.2)))
      assert.deepEqual(await search({ query: 'zzzz qqqq xxyy', mode, min_relevance: 0.2 }), [])
    }
    const missed = { query: 'Urlaup flurbotz', mode: 'keyword', min_relevance: 0.2 }
    const answer = await service.call('POST', SEARCH, { body: missed })
    assert.deepEqual(answer.body, [])
    assert.match(decodeURIComponent(answer.headers.get('x-did-you-mean') ?? ''), /^Urlaub flurbotz$/)
    const uncut = { query: 'Urlaup flurbotz', mode: 'hybrid', relevance: true }
    const weak = await service.call('POST', SEARCH, { body: uncut })
    assert.ok(weak.body.length > 0 && weak.body.every((hit: Hit) => hit.relevance! < 0.2))
    assert.match(decodeURIComponent(weak.headers.get('x-did-you-mean') ?? ''), /^Urlaub flurbotz$/)
    const unasked = await service.call('POST', SEARCH, { body: { ...missed, min_relevance: null } })
    assert.equal(unasked.headers.get('x-did-you-mean'), null)
    const explained = await search({ query: 'Urlaub', mode: 'hybrid', relevance: true, explain: true })
    assert.ok(explained.every(({ relevance = -1 }) => relevance >= 0))
  })

  test("one hit for a translation group, the caller's language first", async () => {
    const grouped = (language: string) =>
      search(
        { query: 'Urlaub vacation', mode: 'hybrid', group_translations: true, limit: 100 },
        { headers: { 'accept-language': language } },
      )
    const german = names(await grouped('de-DE,de;q=0.9'))
    const english = names(await grouped('en'))
    assert.ok(german.includes('urlaub') && !german.includes('vacation'))
    assert.ok(english.includes('vacation') && !english.includes('urlaub'))
    assert.equal(german.length, 4)
    assert.deepEqual(names(await grouped('en;q=0.1, *;q=0.5, de-AT')), german)
    assert.deepEqual(names(await grouped('de;q=0, en;q=0.001')), english)
    assert.deepEqual(names(await grouped('en, de')), english)
  })

  test('the answer has the time of its parts and a log id', async () => {
    const answer = await service.call('POST', SEARCH, { body: { query: 'Urlaub' } })
    assert.match(
      answer.headers.get('server-timing') ?? '',
      /embed;dur=[\d.]+, refresh;dur=[\d.]+, search;dur=[\d.]+, read;dur=[\d.]+/,
    )
    assert.match(answer.headers.get('x-search-log-id') ?? '', /^[0-9a-f-]{36}$/)
  })

  test('a tenant without entries finds nothing, in every mode', async () => {
    const empty = await service.tenant('empty')
    const { key } = await service.user({ tenant: empty, email: 'nobody@empty' })
    for (const mode of ['semantic', 'keyword', 'hybrid'])
      assert.deepEqual(await search({ query: 'Urlaub', mode }, { key }), [])
  })

  test('a page of hits ends at 8 MiB of text, and the next page continues', async () => {
    const bulky = await service.tenant('bulky')
    const { key } = await service.user({ tenant: bulky, email: 'giant@bulky' })
    const { id: category_id } = (
      await service.call('POST', '/api/knowledge/categories', { key, body: { name: 'Riesen' } })
    ).body
    const entry = (n: number) => ({ title: `Riese ${n}`, content: 'Riese', category_id, layer: 'giants' })
    const creations = await Promise.all(
      Array.from({ length: 10 }, (_, n) => service.call('POST', ENTRIES, { key, body: entry(n) })),
    )
    // Stored directly, because the service accepts less text at once.
    const { queries } = service.database
    const metadata = `{"notes":"${'ä'.repeat(500_000)}"}`
    await queries.updateTable('entries').set({ metadata }).where('layer', '=', 'giants').execute()
    const request = { query: 'Riese', mode: 'keyword', limit: 100 }
    const all = new Set<string>()
    for (const explain of [false, true]) {
      const first = await search({ ...request, explain }, { key })
      const rest = await search({ ...request, explain, offset: 8 }, { key })
      assert.deepEqual([first.length, rest.length], [8, 2])
      for (const { entry } of [...first, ...rest]) all.add(entry.id)
    }
    assert.equal(all.size, 10)
    const related = await service.call('GET', `${ENTRIES}/${creations[0].body.id}/related?limit=100`, { key })
    assert.equal(related.body.length, 8)
    const combined = await service.call('POST', '/api/knowledge/search', { key, body: request })
    assert.deepEqual(
      combined.body.sections.map((each: { section: string; hits: object[] }) => [each.section, each.hits.length]),
      [
        ['products', 0],
        ['knowledge', 8],
      ],
    )
    await queries.updateTable('entries').set({ metadata: '{}' }).where('layer', '=', 'giants').execute()
  })

  test('embedding status counts what is embedded', async () => {
    const { body } = await service.call('GET', '/api/knowledge/embedding-status')
    assert.deepEqual(body, {
      model: BUILTIN_ID,
      target_model: BUILTIN_ID,
      items: 5,
      embedded: 5,
      pending: 0,
      failing: 0,
      last_error: null,
      unread_reason: null,
      provider_failing_since: null,
    })
  })
})
