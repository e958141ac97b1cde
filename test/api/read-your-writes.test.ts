import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { connect, use } from '../mcp/assistant.ts'
import { onAnyDatabase, onEachDatabase } from '../support/databases.ts'
import { found, until } from '../support/patience.ts'
import type { Answer, TestService } from '../support/service.ts'
import { joinService } from '../support/shared-service.ts'

const API = '/api/knowledge'
const ENTRIES = `${API}/knowledge-entries`
const PRODUCTS = `${API}/products`
const NDJSON = { 'content-type': 'application/x-ndjson' }
const NAME = /^[\w-]{22}$/

/** Searches over HTTP, each as path and body. */
const SEARCHES = [
  [`${ENTRIES}/search`, { query: 'Lampe' }],
  [`${PRODUCTS}/search`, { query: 'Lampe' }],
  [`${API}/search`, { query: 'Lampe' }],
  [`${API}/multi-search`, { searches: [{ query: 'Lampe' }, { query: 'Tisch' }] }],
] as const

onEachDatabase('a search that waits for a write', (kind) => {
  let service: TestService
  let category: string
  before(async () => {
    service = await joinService(kind)
    await service.judgeAnswers()
    category = await service.category()
  })
  after(() => service.stop())

  const nameOf = ({ status, headers, body }: Answer): string => {
    assert.ok(status < 300, JSON.stringify(body))
    const name = headers.get('x-watermark') ?? ''
    assert.match(name, NAME)
    return name
  }
  const create = (fields: object) =>
    service.call('POST', ENTRIES, { body: { content: 'Text', category_id: category, ...fields } })
  const searched = async (path: string, body: object, name: string) => {
    const headers = { 'x-min-watermark': name, prefer: 'wait=30' }
    const answer = await service.call('POST', path, { body, headers })
    assert.equal(answer.status, 200, JSON.stringify(answer.body))
    assert.equal(answer.headers.get('preference-applied'), 'wait=30')
    assert.equal(answer.headers.get('x-search-behind'), null)
    return answer.body
  }
  const lastOf = ({ body }: Answer): string => {
    const last = typeof body === 'string' ? JSON.parse(body.trimEnd().split('\n').at(-1)) : body
    assert.match(last.watermark, NAME)
    return last.watermark
  }
  const titlesFor = async (query: string, name: string) =>
    (await searched(`${ENTRIES}/search`, { query, mode: 'keyword' }, name)).map(
      ({ entry }: { entry: { title: string } }) => entry.title,
    )

  test('sees an entry that was written, changed or restored', async () => {
    const written = await create({ title: 'Kupferkessel' })
    assert.deepEqual(await titlesFor('Kupferkessel', nameOf(written)), ['Kupferkessel'])
    const path = `${ENTRIES}/${written.body.id}`
    const changed = await service.call('PATCH', path, { body: { title: 'Zinnteller' } })
    assert.deepEqual(await titlesFor('Zinnteller', nameOf(changed)), ['Zinnteller'])
    assert.deepEqual(await titlesFor('Kupferkessel', nameOf(changed)), [])
    assert.equal((await service.call('DELETE', path)).status, 204)
    assert.deepEqual(await titlesFor('Zinnteller', nameOf(changed)), [])
    const restored = await service.call('POST', `${API}/bin/${written.body.id}/restore`)
    assert.deepEqual(await titlesFor('Zinnteller', nameOf(restored)), ['Zinnteller'])
  })

  test('sees a product that was written or changed, and all searches of several', async () => {
    const body = { title: 'Messingbett', language: 'de', external_id: 'm-1' }
    const written = nameOf(await service.call('POST', `${PRODUCTS}?site_id=default`, { body }))
    const { hits } = await searched(`${PRODUCTS}/search`, { query: 'Messingbett' }, written)
    assert.equal(hits.length, 1)
    const path = `${PRODUCTS}/by-external-id/m-1?site_id=default`
    const changed = nameOf(await service.call('PATCH', path, { body: { title: 'Glasvitrine' } }))
    const search = { query: 'Glasvitrine', sections: ['products'], mode: 'keyword' }
    const { sections } = await searched(`${API}/search`, search, changed)
    assert.equal(sections[0].hits.length, 1)
    const several = { searches: [search, { ...search, query: 'Messingbett' }] }
    const { answers } = await searched(`${API}/multi-search`, several, changed)
    const counts = answers.map((one: { sections: { hits: object[] }[] }) => one.sections[0].hits.length)
    assert.deepEqual(counts, [1, 0])
  })

  test('sees all lines of a bulk, of which the last answer names the last change', async () => {
    const push = (path: string, ...lines: readonly object[]) =>
      service.call('POST', path, { body: lines.map((line) => JSON.stringify(line)).join('\n'), headers: NDJSON })
    const page = (title: string) => ({ title, content: 'Text', category_id: category, source_reference: title })
    const entries = await push(`${ENTRIES}/bulk`, page('Bulkseite'), page('Bulkblatt'))
    assert.deepEqual(await titlesFor('Bulkblatt', lastOf(entries)), ['Bulkblatt'])
    const again = await push(`${ENTRIES}/bulk`, page('Bulkseite'))
    assert.equal(again.body.status, 'unchanged')
    assert.deepEqual(await titlesFor('Bulkseite', lastOf(again)), ['Bulkseite'])
    const refused = await push(`${ENTRIES}/bulk`, {
      ...page('Ohne'),
      category_id: '00000000-0000-7000-8000-000000000000',
    })
    assert.equal(refused.body.status, 'failed')
    assert.deepEqual(await titlesFor('Ohne', lastOf(refused)), [])

    const lamp = (id: string, title: string) => ({ external_id: id, title, language: 'de' })
    const bulk = `${PRODUCTS}/bulk?site_id=default`
    for (const [query, line] of [
      ['', lamp('b-1', 'Bulklampe')],
      ['&answers=failed', lamp('b-1', 'Bulkleuchte')],
      ['&mode=patch', { external_id: 'b-1', title: 'Bulkampel' }],
      ['&sync=full&max_retired=100%25', lamp('b-1', 'Bulklicht')],
    ] as const) {
      const name = lastOf(await push(`${bulk}${query}`, line))
      const search = { query: (line as { title: string }).title, mode: 'keyword' }
      assert.equal((await searched(`${PRODUCTS}/search`, search, name)).hits.length, 1, query)
    }
    for (const path of [`${ENTRIES}/bulk?dry_run=true`, `${bulk}&dry_run=true`]) {
      assert.equal((await push(path, { ...page('Probe'), ...lamp('b-2', 'Probe') })).body.watermark, undefined, path)
    }
  })

  test('is refused when no write of its tenant was named so', async () => {
    const other = await service.user({ tenant: await service.tenant('other'), email: 'other@x' })
    const { body } = await service.call('POST', `${API}/categories`, { key: other.key, body: { name: 'Other' } })
    const foreign = await service.call('POST', ENTRIES, {
      key: other.key,
      body: { title: 'Fremd', content: 'Text', category_id: body.id },
    })
    for (const name of [nameOf(foreign), 'x'.repeat(22), '1', '']) {
      for (const [path, search] of SEARCHES) {
        const refused = await service.call('POST', path, { body: search, headers: { 'x-min-watermark': name } })
        const [{ loc, type }] = refused.body.detail
        assert.deepEqual([refused.status, loc, type], [422, ['header', 'x-min-watermark'], 'value_error'], path)
      }
    }
  })

  test('waits for what an assistant wrote, too', async () => {
    const client = await connect(service, service.adminKey)
    const entry = { title: 'Silberdose', content: 'Sie glänzt.', category_id: category }
    const { data: written } = await use(client, 'create_entry', entry)
    assert.match(written.watermark, NAME)
    const search = { query: 'Silberdose', mode: 'keyword', min_watermark: written.watermark }
    const { data, text } = await use(client, 'search_knowledge', search)
    assert.deepEqual([data.hits.length, data.behind], [1, undefined])
    assert.doesNotMatch(text, /still being indexed/)
    const changed = await use(client, 'update_entry', { entry_id: written.id, title: 'Goldring' })
    const later = { ...search, query: 'Goldring', min_watermark: changed.data.watermark }
    assert.equal((await use(client, 'search_knowledge', later)).data.hits.length, 1)
    const note = { title: 'Notiz', content: 'Ich.', category_id: category }
    assert.match((await use(client, 'create_personal_note', note)).data.watermark, NAME)
    for (const tool of ['search_knowledge', 'search_products']) {
      const refused = await use(client, tool, { query: 'Kanne', min_watermark: 'x'.repeat(22) })
      assert.ok(refused.isError)
      assert.match(refused.text, /min_watermark: This is no watermark/)
    }
    await client.close()
  })
})

onAnyDatabase('a search that waits for no text', (kind) => {
  let service: TestService
  let entry: string
  let reader: string
  let writes = 0
  before(async () => {
    service = await joinService(kind, { SEARCH_FRESH_WAIT_MS: '0' })
    await service.judgeAnswers()
    const body = { title: 'Seite', content: 'Text', category_id: await service.category() }
    entry = (await service.call('POST', ENTRIES, { body })).body.id
    reader = await service.key(['knowledge:read', 'visibility:internal'])
    await service.call('POST', `${ENTRIES}/search`, { body: { query: 'Seite' } })
  })
  after(() => service.stop())

  /** Changes the text of the entry, which then takes a while to be analysed. */
  const change = async () => {
    const word = `w${++writes}`
    const content = Array.from({ length: 20_000 }, (_, i) => `${word}x${i}`).join(' ')
    const answer = await service.call('PATCH', `${ENTRIES}/${entry}`, { body: { content, layer: word } })
    assert.equal(answer.status, 200)
    return { word, name: answer.headers.get('x-watermark')! }
  }
  /** Changes the entry and searches at once, until a search is behind. @returns the answer to that search */
  const behind = (search: () => Promise<Answer>) =>
    found(async () => {
      await change()
      const answer = await search()
      return answer.headers.get('x-search-behind') === null ? null : answer
    }, 'a search is behind')

  test('says so: to an administrator how many documents it lacks, to others only that it lacks some', async () => {
    for (const [path, body] of SEARCHES) {
      if (path.startsWith(PRODUCTS)) continue
      const { status, headers } = await behind(() => service.call('POST', path, { body }))
      assert.deepEqual([status, headers.get('x-search-behind')], [200, '1'], path)
    }
    const told = await behind(() =>
      service.call('POST', `${ENTRIES}/search`, { key: reader, body: { query: 'Seite' } }),
    )
    assert.equal(told.headers.get('x-search-behind'), 'true')
    const search = () => service.call('POST', `${ENTRIES}/search`, { body: { query: 'Seite' } })
    await until(async () => (await search()).headers.get('x-search-behind') === null, 'the index has caught up')
  })

  test('does not say so of documents of another kind', async () => {
    for (let i = 0; i < 20; i++) {
      await change()
      const { headers } = await service.call('POST', `${PRODUCTS}/search`, { body: { query: 'Seite' } })
      assert.equal(headers.get('x-search-behind'), null)
    }
  })

  test('shows values as they are, although it lacks the text', async () => {
    await found(async () => {
      const { word } = await change()
      const body = { query: 'Seite', mode: 'keyword', layer: word }
      const answer = await service.call('POST', `${ENTRIES}/search`, { body })
      assert.deepEqual([answer.status, answer.body.length], [200, 1])
      return answer.headers.get('x-search-behind')
    }, 'a search is behind')
  })

  test('tells an assistant so, in a sentence too', async () => {
    const clients = await Promise.all([service.adminKey, reader].map((key) => connect(service, key)))
    for (const [client, said] of [
      [clients[0], 1],
      [clients[1], true],
    ] as const) {
      const { data, text } = await found(async () => {
        await change()
        const answer = await use(client, 'search_knowledge', { query: 'Seite' })
        return answer.data.behind === undefined ? null : answer
      }, 'a search is behind')
      assert.equal(data.behind, said)
      assert.match(text, /still being indexed/)
      await client.close()
    }
  })

  test('is refused with 503 when the write that it names is not there in time', async () => {
    const refused = await found(async () => {
      const { name } = await change()
      const headers = { 'x-min-watermark': name, prefer: 'wait=0' }
      const answer = await service.call('POST', `${ENTRIES}/search`, { body: { query: 'Seite' }, headers })
      assert.equal(answer.headers.get('preference-applied'), 'wait=0')
      return answer.status === 200 ? null : answer
    }, 'a search is refused')
    assert.equal(refused.status, 503)
    assert.ok(Number(refused.headers.get('retry-after')) >= 1)
    assert.match(refused.body.detail[0].msg, /has not reached this write/)
  })
})
