import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { connect, use } from '../mcp/assistant.ts'
import { onAnyDatabase } from '../support/databases.ts'
import { until } from '../support/patience.ts'
import { TestService } from '../support/service.ts'

const ENTRIES = '/api/knowledge/knowledge-entries'
const PRODUCTS = '/api/knowledge/products'
const TINY = { SEARCH_MEMORY_MB: '16', SEARCH_MEMORY_PER_TENANT_MB: '6' }
const MODES = ['keyword', 'semantic', 'hybrid']
const NOTES = 8

/** Returns words that no other number gives; an index takes about two megabytes for them. */
function words(n: number): string {
  return Array.from({ length: 15_000 }, (_, i) => `x${n.toString(36)}y${i.toString(36)}`).join(' ')
}

onAnyDatabase('a tenant whose search memory a reader fills with private notes', (kind) => {
  let service: TestService
  let key: string
  let reader: { userId: string; key: string }
  let category: string
  let own: string
  const notes: string[] = []

  before(async () => {
    service = await TestService.start(kind, TINY)
    await service.judgeAnswers()
    await service.tenant('other')
    key = (await service.user({ tenant: 'other', email: 'other@example.com' })).key
    const mine = { title: 'Lampe', content: 'Sie leuchtet.', category_id: await service.category('One', key) }
    assert.equal((await service.call('POST', ENTRIES, { key, body: mine })).status, 201)
    category = await service.category()
    reader = await service.user({
      email: 'reader@example.com',
      role: 'editor',
      scopes: ['knowledge:read', 'knowledge:personal', 'knowledge:delete'],
    })
    for (let n = 0; n < 5; n++) {
      const body = { title: `Lampe ${n}`, content: `Sie leuchtet ${n}-mal.`, category_id: category }
      own = (await service.call('POST', ENTRIES, { body })).body.id
      const offer = { title: `Lampe ${n}`, language: 'de', external_id: `${n}` }
      assert.equal((await service.call('POST', `${PRODUCTS}?site_id=default`, { body: offer })).status, 201)
    }
  })
  after(() => service.stop())

  const status = async (of?: string) =>
    (await service.call('GET', '/api/knowledge/status', of === undefined ? {} : { key: of })).body
  const entriesFound = async (mode = 'keyword'): Promise<string[]> => {
    const { status: code, body } = await service.call('POST', `${ENTRIES}/search`, { body: { query: 'Lampe', mode } })
    assert.equal(code, 200, JSON.stringify(body).slice(0, 200))
    return body.map(({ entry }: { entry: { title: string } }) => entry.title).sort()
  }
  const isSaidToBeLeftOut = async (id: string, of?: string): Promise<boolean> => {
    const answer = await service.call('GET', `${ENTRIES}/${id}`, of === undefined ? {} : { key: of })
    assert.equal(answer.status, 200)
    return answer.headers.get('x-search-left-out') === 'true'
  }

  test('finds what others have all the while', async () => {
    const lamps = Array.from({ length: 5 }, (_, n) => `Lampe ${n}`)
    for (let n = 0; n < NOTES; n++) {
      const body = { title: `Note ${n}`, content: words(n), category_id: category, language: 'de' }
      const answer = await service.call('POST', `${ENTRIES}/personal`, { key: reader.key, body })
      assert.equal(answer.status, 201)
      notes.push(answer.body.id)
      // A vector is a change, too: with that of each note before the next note they are changed in their order.
      await until(
        async () => (await service.call('GET', '/api/knowledge/embedding-status')).body.pending === 0,
        'it has a vector',
      )
      for (const mode of MODES) assert.deepEqual(await entriesFound(mode), lamps)
    }
    const body = { title: 'Lampe 5', content: 'Auch später.', category_id: category }
    assert.equal((await service.call('POST', ENTRIES, { body })).status, 201)
    await until(async () => (await entriesFound()).length === 6, 'what is written later is found')
    for (const mode of MODES) {
      const { status: code, body: found } = await service.call('POST', `${PRODUCTS}/search`, {
        body: { query: 'Lampe', mode, limit: 100 },
      })
      assert.deepEqual([code, found.total], [200, 5])
    }
    const client = await connect(service, service.adminKey)
    assert.equal((await use(client, 'search_knowledge', { query: 'Lampe' })).isError, false)
    await client.close()
  })

  test('names the notes that are left out, and their owner, to its administrators', async () => {
    await until(async () => {
      const { search } = await status()
      return search.left_out > 0 && search.documents_behind === 0
    }, 'the index has read all notes, and left some out')
    const { search, warnings } = await status()
    assert.ok(search.left_out < NOTES && search.refused === 0)
    assert.equal(search.left_out_documents.length, search.left_out)
    for (const { index, id, owner } of search.left_out_documents) {
      assert.deepEqual([index, notes.includes(id), owner], ['entries', true, reader.userId])
    }
    const places = search.left_out_documents.map(({ id }: { id: string }) => notes.indexOf(id))
    assert.deepEqual(
      places,
      places.toSorted((one: number, other: number) => other - one),
      'the newest first',
    )
    assert.match(warnings.join(), /are found by no search, since the search memory is full/)
    const { body: metrics } = await service.call('GET', '/metrics')
    assert.match(metrics, new RegExp(`^search_index_left_out ${search.left_out}$`, 'm'))
    assert.match(metrics, /^search_index_refusals_total\{reason="tenant"\} 0$/m)
    const other = await status(key)
    assert.deepEqual([other.search.left_out, other.search.left_out_documents, other.warnings], [0, [], []])
  })

  test('says so to the owner who reads such a note, and not of entries that are found', async () => {
    await until(() => isSaidToBeLeftOut(notes[NOTES - 1], reader.key), 'the owner is told')
    assert.equal(await isSaidToBeLeftOut(own), false)
  })

  test('finds all of them again once there is room', async () => {
    const find = async () => {
      const body = { query: 'Note', mode: 'keyword', limit: 100 }
      return (await service.call('POST', `${ENTRIES}/search`, { key: reader.key, body })).body.length
    }
    const kept = notes.slice(-2)
    for (const id of notes.slice(0, -2)) {
      assert.equal((await service.call('DELETE', `${ENTRIES}/${id}`, { key: reader.key })).status, 204)
    }
    await until(async () => (await find()) === kept.length, 'the notes that are left are found')
    const { search } = await status()
    assert.deepEqual([search.left_out, search.left_out_documents], [0, []])
  })

  test('takes nothing from another tenant’s searches', async () => {
    for (const mode of MODES) {
      const answer = await service.call('POST', `${ENTRIES}/search`, { key, body: { query: 'Lampe', mode } })
      assert.deepEqual([answer.status, answer.body.length], [200, 1])
    }
  })
})
