import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { threadSlices } from '../../src/platform/threads/slices.ts'
import { onEachDatabase } from '../support/databases.ts'
import type { TestService } from '../support/service.ts'
import { joinService } from '../support/shared-service.ts'

const BASE = '/api/knowledge/categories'

onEachDatabase('categories', (kind) => {
  let service: TestService
  before(async () => {
    service = await joinService(kind)
  })
  after(() => service.stop())

  const create = async (fields: object) => {
    const answer = await service.call('POST', BASE, { body: fields })
    assert.equal(answer.status, 201, JSON.stringify(answer.body))
    return answer.body
  }

  test('a new category is at the top level, first in order', async () => {
    const answer = await service.call('POST', BASE, { body: { name: 'Top' } })
    assert.deepEqual(
      [answer.body.parent_id, answer.body.sort_order, answer.body.description, answer.headers.get('location')],
      [null, 0, null, `${BASE}/${answer.body.id}`],
    )
    assert.deepEqual((await service.call('GET', `${BASE}/${answer.body.id}`)).body, answer.body)
  })

  test('lists go by sort order, then name; with parent_id only direct children', async () => {
    const parent = await create({ name: 'Parent' })
    const c = await create({ name: 'c', parent_id: parent.id, sort_order: 1 })
    const b = await create({ name: 'b', parent_id: parent.id, sort_order: 2 })
    const a = await create({ name: 'a', parent_id: parent.id, sort_order: 2 })
    await create({ name: 'grandchild', parent_id: a.id })
    const listed = await service.call('GET', `${BASE}?parent_id=${parent.id}`)
    assert.deepEqual(
      listed.body.map((row: { id: string }) => row.id),
      [c.id, a.id, b.id],
    )
    assert.ok((await service.call('GET', BASE)).body.length >= 5)
  })

  test('without parent_id a category stays where it is, with null it moves to the top level', async () => {
    const parent = await create({ name: 'P' })
    const child = await create({ name: 'C', parent_id: parent.id, description: 'old' })
    const renamed = await service.call('PUT', `${BASE}/${child.id}`, { body: { name: 'D', description: null } })
    assert.deepEqual([renamed.body.name, renamed.body.parent_id, renamed.body.description], ['D', parent.id, null])
    const moved = await service.call('PUT', `${BASE}/${child.id}`, {
      body: { parent_id: null, name: null, sort_order: null },
    })
    assert.deepEqual([moved.body.parent_id, moved.body.name], [null, 'D'])
  })

  test('a move takes slices kept for transactions, but looking for the faults of a refused one does not', async (t) => {
    const place = await create({ name: 'place' })
    const top = await create({ name: 'top' })
    await create({ name: 'below', parent_id: top.id })
    const holding = t.mock.method(threadSlices, 'pauseHolding')
    const move = async (fields: object) => {
      const { status } = await service.call('PATCH', `${BASE}/${top.id}`, { body: { parent_id: place.id, ...fields } })
      // Transactions in the background take such slices too.
      return [status, holding.mock.calls.some(({ stack }) => stack.stack?.includes('tree-store.ts'))]
    }
    assert.deepEqual(await move({ name: '' }), [422, false])
    assert.deepEqual(await move({}), [200, true])
  })

  test('a category can never move below itself, even when two moves race', async () => {
    const one = await create({ name: 'one' })
    const two = await create({ name: 'two', parent_id: one.id })
    for (const id of [one.id, two.id]) {
      const answer = await service.call('PUT', `${BASE}/${one.id}`, { body: { parent_id: id } })
      assert.deepEqual([answer.status, answer.body.detail[0].loc], [422, ['body', 'parent_id']])
    }
    const a = await create({ name: 'a' })
    const b = await create({ name: 'b' })
    const moves = await Promise.all([
      service.call('PUT', `${BASE}/${a.id}`, { body: { parent_id: b.id } }),
      service.call('PUT', `${BASE}/${b.id}`, { body: { parent_id: a.id } }),
    ])
    assert.deepEqual(moves.map((answer) => answer.status).sort(), [200, 422])
  })

  test('a category can be deleted once it is empty', async () => {
    const parent = await create({ name: 'full' })
    const child = await create({ name: 'child', parent_id: parent.id })
    assert.equal((await service.call('DELETE', `${BASE}/${parent.id}`)).status, 409)
    const entry = await service.call('POST', '/api/knowledge/knowledge-entries', {
      body: { title: 't', content: 'c', category_id: child.id },
    })
    assert.equal((await service.call('DELETE', `${BASE}/${child.id}`)).status, 409)
    await service.call('DELETE', `/api/knowledge/knowledge-entries/${entry.body.id}`)
    assert.equal((await service.call('DELETE', `${BASE}/${child.id}`)).status, 204)
    assert.equal((await service.call('DELETE', `${BASE}/${parent.id}`)).status, 204)
    assert.equal((await service.call('GET', `${BASE}/${parent.id}`)).status, 404)
  })
})
