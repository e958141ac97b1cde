import assert from 'node:assert/strict'
import { test } from 'node:test'
import { found, placeBeside, treeOf } from '../../console/src/pages/categories/model.ts'
import { levelOfStep, shownRows } from '../../console/src/pages/categories/shown-rows.ts'

const category = (id: string, parent_id: string | null = null, name = id) => ({
  id,
  tenant_id: 'default',
  name,
  description: null,
  parent_id,
  sort_order: 0,
  created_at: '2026-01-01T00:00:00.000Z',
  updated_at: '2026-01-01T00:00:00.000Z',
})
const crowd = Array.from({ length: 250 }, (_, i) => category(`c${i}`, 'a', `Crowd ${i}`))
const more = (count: number): string => `${count} more`

test('a category shows the entries in it and in everything below it, and none when it was not counted', () => {
  const { byId } = treeOf(
    [category('a'), category('b', 'a')],
    new Map([['a', { category_id: 'a', entries: 1, entries_in_subtree: 6 }]]),
  )
  assert.deepEqual(
    ['a', 'b'].map((id) => [byId.get(id)?.entries, byId.get(id)?.allEntries]),
    [
      [1, 6],
      [0, 0],
    ],
  )
})

test('the place after a category is before its next neighbour that does not move, or last', () => {
  const list = ['a', 'b', 'c'].map((id) => category(id))
  const tree = treeOf([...list, category('x', 'a'), category('y', 'a')], new Map())
  assert.deepEqual(placeBeside(tree, 'b', 'before', 'c'), { parentId: null, beforeId: 'b' })
  assert.deepEqual(placeBeside(tree, 'a', 'after', 'c'), { parentId: null, beforeId: 'b' })
  assert.deepEqual(placeBeside(tree, 'a', 'after', 'b'), { parentId: null, beforeId: 'c' })
  assert.deepEqual(placeBeside(tree, 'c', 'after', 'a'), { parentId: null, beforeId: null })
  assert.deepEqual(placeBeside(tree, 'x', 'after', 'c'), { parentId: 'a', beforeId: 'y' })
  assert.deepEqual(placeBeside(tree, 'y', 'after', 'x'), { parentId: 'a', beforeId: null })
})

test('of very many neighbours some are shown, and a step to the others stands below them', () => {
  const { roots } = treeOf([category('a'), ...crowd], new Map())
  const [closed] = shownRows(roots, new Set(), new Map(), more)
  assert.equal(closed?.children.length, 1)
  const [open] = shownRows(roots, new Set(['a']), new Map(), more)
  assert.deepEqual([open?.children.length, open?.children.at(-1)?.name], [101, '150 more'])
  const level = levelOfStep(open?.children.at(-1)?.id ?? '')
  assert.equal(level, 'a')
  const [further] = shownRows(roots, new Set(['a']), new Map([[level, 300]]), more)
  assert.deepEqual([further?.children.length, levelOfStep(further?.children.at(-1)?.id ?? '')], [250, null])
})

test('a search shows the first hundred that it finds with what is above them, and counts all', () => {
  const tree = treeOf([category('a', null, 'Above'), ...crowd, category('z', null, 'Elsewhere')], new Map())
  const all = found(tree, 'crowd')
  assert.deepEqual([all.total, all.roots.length, all.roots[0]?.children.length], [250, 1, 100])
  assert.deepEqual([...all.open], ['a'])
  assert.deepEqual(
    found(tree, 'ELSE').roots.map(({ id }) => id),
    ['z'],
  )
  assert.equal(found(tree, 'nowhere').total, 0)
})
