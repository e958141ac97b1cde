import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import fc from 'fast-check'
import { newId } from '../../src/platform/ids.ts'
import { onEachDatabase } from '../support/databases.ts'
import { type Answer, type TestService } from '../support/service.ts'
import { joinService } from '../support/shared-service.ts'
import { inTier } from '../support/tier.ts'

const BASE = '/api/knowledge/categories'
const ENTRIES = '/api/knowledge/knowledge-entries'

onEachDatabase('organising categories', (kind) => {
  let service: TestService
  before(async () => {
    service = await joinService(kind)
  })
  after(() => service.stop())

  const create = async (name: string, parent: string | null = null, fields: object = {}): Promise<string> => {
    const body = { name, parent_id: parent, ...fields }
    return (await service.call('POST', BASE, { body })).body.id
  }
  const move = (id: string, parent: string | null, before: string | null = null): Promise<Answer> =>
    service.call('POST', `${BASE}/${id}/move`, { body: { parent_id: parent, before_id: before } })
  const children = async (parent: string): Promise<string[]> =>
    (await service.call('GET', `${BASE}?parent_id=${parent}`)).body.map(({ id }: { id: string }) => id)
  const entry = async (category: string, fields: object = {}, key = service.adminKey): Promise<string> => {
    const body = { title: 'A title', content: 'Some content', category_id: category, ...fields }
    const answer = await service.call('POST', ENTRIES, { key, body })
    assert.equal(answer.status, 201, JSON.stringify(answer.body))
    return answer.body.id
  }
  const counts = async (key = service.adminKey): Promise<Map<string, [number, number]>> => {
    const { body } = await service.call('GET', `${BASE}/counts`, { key })
    type Count = { category_id: string; entries: number; entries_in_subtree: number }
    return new Map(body.map((each: Count) => [each.category_id, [each.entries, each.entries_in_subtree]]))
  }
  const faultOf = ({ status, body }: Answer): string =>
    `${status} ${body.detail[0].loc.join('.')} ${body.detail[0].type}`

  test('puts a category where it is dropped, and every other stays in order, whatever their sort orders were', async () => {
    const someOrders = fc.array(fc.constantFrom(0, 0, 1, 2, 1_000_000, 2_147_483_647), { minLength: 2, maxLength: 6 })
    const someMoves = fc.array(fc.tuple(fc.nat(5), fc.nat(6)), { minLength: 1, maxLength: 8 })
    const property = fc.asyncProperty(someOrders, someMoves, async (orders, moves) => {
      const parent = await create('Parent')
      for (const [i, order] of orders.entries()) await create(`Child ${i}`, parent, { sort_order: order })
      let expected = await children(parent)
      for (const [which, where] of moves) {
        const moved = expected[which % expected.length]
        const others = expected.filter((id) => id !== moved)
        const at = where % (others.length + 1)
        const answer = await move(moved, parent, others[at] ?? null)
        assert.equal(answer.status, 200, JSON.stringify(answer.body))
        expected = [...others.slice(0, at), moved, ...others.slice(at)]
        assert.deepEqual(await children(parent), expected)
      }
    })
    await fc.assert(property, { numRuns: inTier({ gate: 4, all: 8 }) })
  })

  test('many moves into the same gap number the level anew without changing its order', async () => {
    const parent = await create('Parent')
    const ids = []
    for (let i = 0; i < 30; i++) ids.push(await create(`${i}`.padStart(2, '0'), parent))
    const [last] = ids
    const moved = []
    for (let i = 29; i > 1; i--) {
      assert.equal((await move(ids[i], parent, last)).status, 200)
      moved.push(ids[i])
    }
    assert.deepEqual(await children(parent), [...moved, last, ids[1]])
  })

  test('a move takes the subtree along; one into itself or to an unknown place is refused and changes nothing', async () => {
    const top = await create('Top')
    const child = await create('Child', top)
    const grandchild = await create('Grandchild', child)
    const other = await create('Other')
    const inOther = await create('In other', other)
    const before = await children(top)
    assert.equal(faultOf(await move(top, grandchild)), '422 body.parent_id value_error')
    assert.equal(faultOf(await move(top, top)), '422 body.parent_id value_error')
    assert.equal(faultOf(await move(child, newId())), '422 body.parent_id reference_not_found')
    assert.equal(faultOf(await move(child, top, newId())), '422 body.before_id reference_not_found')
    assert.equal(faultOf(await move(child, top, child)), '422 body.before_id value_error')
    // The sibling is in another category by then.
    assert.equal(faultOf(await move(child, top, inOther)), '409 body.before_id conflict')
    assert.deepEqual(await children(top), before)
    assert.equal((await move(child, other, inOther)).body.parent_id, other)
    assert.deepEqual([await children(other), await children(child)], [[child, inOther], [grandchild]])
  })

  test('moves at the same moment make no circle and lose no category', async () => {
    const parent = await create('Parent')
    const ids = await Promise.all(Array.from({ length: 6 }, (_, i) => create(`${i}`, parent)))
    const [one, two] = ids
    const crossed = await Promise.all([move(one, two), move(two, one)])
    assert.deepEqual(crossed.map(({ status }) => status).sort(), [200, 422])
    await move(one, parent)
    await move(two, parent)
    const others = ids.slice(2)
    const answers = await Promise.all([...others, ...others].map((id, i) => move(id, parent, i % 2 === 0 ? one : two)))
    assert.ok(answers.every(({ status }) => status === 200))
    const order = await children(parent)
    assert.deepEqual([...order].sort(), [...ids].sort())
    assert.equal(order.indexOf(two), order.length - 1, 'the category that was put before the last one is before it')
  })

  test('counts entries by category and subtree, and none that the caller may not see', async () => {
    const top = await create('Top')
    const child = await create('Child', top)
    const empty = await create('Empty', top)
    await entry(top)
    await entry(child, { visibility: 'public' })
    await entry(child, { visibility: 'restricted' })
    const expired = { type: 'memory', metadata: { expires_at: '2020-01-01T00:00:00Z' } }
    await service.call('POST', ENTRIES, { body: { title: 'Old', content: 'Old', category_id: child, ...expired } })
    const own = await counts()
    assert.deepEqual([own.get(top), own.get(child), own.get(empty)], [[1, 3], [2, 2], undefined])
    const low = await counts(await service.key(['knowledge:read', 'visibility:public']))
    assert.deepEqual(
      [low.get(top), low.get(child)],
      [
        [0, 1],
        [1, 1],
      ],
    )
    const mine = await service.user({ email: `note-${kind.name}@example.com` })
    const note = { title: 'Note', content: 'Note', category_id: top }
    await service.call('POST', `${ENTRIES}/personal`, { key: mine.key, body: note })
    assert.deepEqual(
      [(await counts()).get(top), (await counts(mine.key)).get(top)],
      [
        [1, 3],
        [2, 4],
      ],
    )
  })

  test('counts a tree of thousands of categories in one answer', async () => {
    const large = await service.tenant('large')
    const { key } = await service.user({ tenant: large, email: 'admin@large' })
    const ids = Array.from({ length: inTier({ gate: 5_000, all: 20_000 }) }, () => newId()).sort()
    const leaf = ids[ids.length - 1]
    const rows = ids.map((id, i) => ({
      tenant_id: large,
      id,
      name: `${i}`,
      description: null,
      sort_order: 0,
      created_at: 0,
      updated_at: 0,
      parent_id: i === 0 ? null : ids[Math.floor((i - 1) / 10)],
    }))
    await service.database.write(async (tx) => {
      for (let at = 0; at < rows.length; at += 1_000)
        await tx
          .insertInto('categories')
          .values(rows.slice(at, at + 1_000))
          .execute()
    }, large)
    await entry(leaf, {}, key)
    await entry(ids[0], {}, key)
    const all = await counts(key)
    assert.deepEqual(
      [all.get(ids[0]), all.get(leaf)],
      [
        [1, 2],
        [1, 1],
      ],
    )
    assert.equal([...all.values()].filter(([, below]) => below === 1).length, all.size - 1)
  })

  test('merges a category into another with all that is in and below it, also what the caller does not see', async () => {
    const from = await create('From')
    const into = await create('Into')
    const below = await create('Below', from)
    const seen = await entry(from, { title: 'Seen' })
    const hidden = await entry(from, { visibility: 'restricted' })
    const editor = await service.user({ email: `editor-${kind.name}@example.com`, role: 'editor' })
    const before = (await service.call('GET', `${ENTRIES}/${seen}`)).body
    const merged = await service.call('POST', `${BASE}/${from}/merge`, { key: editor.key, body: { into_id: into } })
    assert.deepEqual([merged.status, merged.body], [200, { moved_entries: 1, done: true }])
    assert.equal((await service.call('GET', `${BASE}/${from}`)).status, 404)
    assert.deepEqual(await children(into), [below])
    for (const id of [seen, hidden]) {
      const { body } = await service.call('GET', `${ENTRIES}/${id}`)
      assert.deepEqual([body.category_id, body.version], [into, 2])
    }
    const earlier = await service.call('GET', `${ENTRIES}/${seen}/versions/1`)
    assert.equal(earlier.body.category_id, before.category_id)
    const search = await service.call('POST', `${ENTRIES}/search`, {
      body: { query: 'Seen', mode: 'keyword', category_id: into },
    })
    assert.deepEqual(
      search.body.map((hit: { entry: { id: string } }) => hit.entry.id),
      [seen],
    )
    const [record] = (await service.call('GET', `/api/knowledge/audit-records?action=merge&resource_id=${from}`)).body
    assert.deepEqual([record.user_id, record.details], [editor.userId, { into }])
  })

  test('merges no category where what is below it would be too deep', async () => {
    const from = await create('From')
    const below = await create('Below', from)
    let deep = await create('1')
    for (let level = 2; level <= 63; level++) deep = await create(String(level), deep)
    const deepest = await create('64', deep)
    const merge = (into: string) => service.call('POST', `${BASE}/${from}/merge`, { body: { into_id: into } })
    assert.equal(faultOf(await merge(deepest)), '422 body.into_id value_error')
    assert.deepEqual(await children(from), [below])
    assert.equal((await merge(deep)).status, 200)
    assert.deepEqual((await children(deep)).toSorted(), [below, deepest].toSorted())
  })

  test('a merge does not count entries that its caller may not read', async () => {
    const [from, into] = [await create('From'), await create('Into')]
    await entry(from)
    const key = await service.key(['categories:write', 'knowledge:write', 'visibility:restricted'])
    const { body } = await service.call('POST', `${BASE}/${from}/merge`, { key, body: { into_id: into } })
    assert.deepEqual(body, { moved_entries: 0, done: true })
  })

  test('merges a large category in calls that each are short', async () => {
    const [from, into] = [await create('From'), await create('Into')]
    const lines = Array.from({ length: 501 }, (_, i) =>
      JSON.stringify({ title: `${i}`, content: `${i}`, category_id: from }),
    )
    const headers = { 'content-type': 'application/x-ndjson' }
    await service.call('POST', `${ENTRIES}/bulk`, { body: lines.join('\n'), headers })
    const merge = async () => (await service.call('POST', `${BASE}/${from}/merge`, { body: { into_id: into } })).body
    assert.deepEqual(await merge(), { moved_entries: 500, done: false })
    assert.deepEqual(
      [(await counts()).get(from), (await counts()).get(into)],
      [
        [1, 1],
        [500, 500],
      ],
    )
    assert.deepEqual(await merge(), { moved_entries: 1, done: true })
    assert.deepEqual((await counts()).get(into), [501, 501])
  })
})
