import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { onEachDatabase } from '../support/databases.ts'
import { TestService } from '../support/service.ts'

const BASE = '/api/knowledge/categories'
const ENTRIES = '/api/knowledge/knowledge-entries'
const UNKNOWN = '00000000-0000-7000-8000-000000000000'

onEachDatabase('categories and the entries in them', (kind) => {
  let service: TestService
  before(async () => {
    service = await TestService.start(kind)
  })
  after(() => service.stop())

  const category = async (name: string, parentId: string | null = null): Promise<string> => {
    const { body, status } = await service.call('POST', BASE, { body: { name, parent_id: parentId } })
    assert.equal(status, 201, JSON.stringify(body))
    return body.id
  }
  const entry = async (categoryId: string, fields: object = {}, path = ENTRIES): Promise<string> => {
    const body = { title: 'A title', content: 'Some content', category_id: categoryId, ...fields }
    const answer = await service.call('POST', path, { body })
    assert.equal(answer.status, 201, JSON.stringify(answer.body))
    return answer.body.id
  }
  const counts = async (key = service.adminKey): Promise<Map<string, number>> => {
    const { body, status } = await service.call('GET', `${BASE}/entry-counts`, { key })
    assert.equal(status, 200, JSON.stringify(body))
    return new Map(
      body.map((row: { category_id: string; entries: number }): [string, number] => [row.category_id, row.entries]),
    )
  }
  const merge = (id: string, intoId: unknown, key = service.adminKey) =>
    service.call('POST', `${BASE}/${id}/merge`, { key, body: { into_id: intoId } })

  test('each category is counted with the entries that the caller may see, and no category without any', async () => {
    const [full, empty] = [await category('Full'), await category('Empty')]
    const below = await category('Below', full)
    await entry(full)
    await entry(full, { visibility: 'restricted' })
    await entry(full, { type: 'memory', metadata: { expires_at: '2020-01-01T00:00:00Z' } })
    await entry(below)
    const all = await counts()
    assert.deepEqual([all.get(full), all.get(below), all.get(empty)], [2, 1, undefined])
    const some = await counts(await service.key(['knowledge:read', 'visibility:internal']))
    assert.equal(some.get(full), 1)
  })

  test('a merge moves entries and the categories below, and the category is gone', async () => {
    const [from, into] = [await category('From'), await category('Into')]
    const below = await category('Below', from)
    const deeper = await category('Deeper', below)
    const moved = await entry(from)
    const kept = await entry(deeper)
    const answer = await merge(from, into)
    assert.deepEqual(
      [answer.status, answer.body],
      [200, { moved_entries: 1, moved_categories: 1, remaining_entries: 0, merged: true }],
    )
    assert.equal((await service.call('GET', `${BASE}/${from}`)).status, 404)
    assert.equal((await service.call('GET', `${BASE}/${below}`)).body.parent_id, into)
    const read = (await service.call('GET', `${ENTRIES}/${moved}`)).body
    assert.deepEqual([read.category_id, read.version], [into, 2])
    const untouched = (await service.call('GET', `${ENTRIES}/${kept}`)).body
    assert.deepEqual([untouched.category_id, untouched.version], [deeper, 1])
    const found = await service.call('POST', `${ENTRIES}/search`, {
      body: { query: 'Some content', mode: 'keyword', category_id: into },
    })
    assert.deepEqual(
      found.body.map((hit: { entry: { id: string } }) => hit.entry.id),
      [moved],
    )
  })

  test('a merge of more entries than one call moves says what is left, and goes on', async () => {
    const [from, into] = [await category('Many'), await category('Much')]
    const lines = Array.from({ length: 510 }, (_, i) =>
      JSON.stringify({ title: `Entry ${i}`, content: 'Text', category_id: from }),
    )
    const bulk = await service.call('POST', `${ENTRIES}/bulk`, {
      body: lines.join('\n'),
      headers: { 'content-type': 'application/x-ndjson' },
    })
    assert.equal(bulk.status, 200)
    const first = (await merge(from, into)).body
    assert.deepEqual([first.moved_entries, first.remaining_entries, first.merged], [500, 10, false])
    const second = (await merge(from, into)).body
    assert.deepEqual([second.moved_entries, second.remaining_entries, second.merged], [10, 0, true])
    assert.equal((await counts()).get(into), 510)
  })

  test('a merge that would move what the caller may not see moves nothing', async () => {
    const [from, into] = [await category('Veiled'), await category('Open')]
    const open = await entry(from)
    await entry(from, { visibility: 'restricted' })
    const scopes = ['knowledge:read', 'knowledge:write', 'categories:write', 'visibility:internal']
    const refused = await merge(from, into, await service.key(scopes))
    assert.deepEqual([refused.status, refused.body.detail[0].type], [409, 'conflict'])
    assert.equal((await service.call('GET', `${ENTRIES}/${open}`)).body.category_id, from)
    assert.equal((await merge(from, into)).body.merged, true)
  })

  test('a category is not merged into itself, below itself, into nothing, or too deep', async () => {
    const from = await category('Circle')
    const below = await category('Inner', from)
    const place = async (intoId: unknown) => {
      const { status, body } = await merge(from, intoId)
      return [status, body.detail[0].loc.join('.'), body.detail[0].type]
    }
    assert.deepEqual(await place(from), [422, 'body.into_id', 'value_error'])
    assert.deepEqual(await place(below), [422, 'body.into_id', 'value_error'])
    assert.deepEqual(await place(UNKNOWN), [422, 'body.into_id', 'reference_not_found'])
    assert.deepEqual(await place('x'), [422, 'body.into_id', 'uuid_parsing'])
    let deep = await category('1')
    for (let level = 2; level <= 64; level++) deep = await category(String(level), deep)
    assert.deepEqual(await place(deep), [422, 'body.into_id', 'value_error'])
    assert.equal((await merge(UNKNOWN, from)).status, 404)
    assert.equal((await service.call('GET', `${BASE}/${below}`)).body.parent_id, from)
  })
})
