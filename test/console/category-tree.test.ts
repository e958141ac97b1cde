import assert from 'node:assert/strict'
import { test } from 'node:test'
import { searchTree, placeBeside, treeOf } from '../../console/src/pages/categories/model.ts'
import { levelOfStep, rowKeeper, shownRows } from '../../console/src/pages/categories/shown-rows.ts'

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
const keep = rowKeeper()

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
  const [closed] = shownRows(roots, { open: new Set(), limits: new Map(), more, keep })
  assert.equal(closed?.children.length, 1)
  const [open] = shownRows(roots, { open: new Set(['a']), limits: new Map(), more, keep })
  assert.deepEqual([open?.children.length, open?.children.at(-1)?.name], [51, '200 more'])
  const level = levelOfStep(open?.children.at(-1)?.id ?? '')
  assert.equal(level, 'a')
  const [further] = shownRows(roots, { open: new Set(['a']), limits: new Map([[level, 300]]), more, keep })
  assert.deepEqual([further?.children.length, levelOfStep(further?.children.at(-1)?.id ?? '')], [250, null])
})

test('opening a category leaves the rows beside it the same objects, which are not built again', () => {
  const list = [
    category('a'),
    category('b'),
    category('x', 'a'),
    category('y', 'b'),
    category('z', 'y'),
    category('zz', 'y'),
  ]
  const { roots } = treeOf(list, new Map())
  const view = { limits: new Map(), more, keep: rowKeeper() }
  const [a, b] = shownRows(roots, { ...view, open: new Set(['a', 'b']) })
  const [sameA, newB] = shownRows(roots, { ...view, open: new Set(['a', 'b', 'y']) })
  assert.equal(sameA, a)
  assert.notEqual(newB, b)
  const renamed = treeOf(
    list.map((one) => (one.id === 'x' ? category('x', 'a', 'X') : one)),
    new Map(),
  )
  const [otherA, sameB] = shownRows(renamed.roots, { ...view, open: new Set(['a', 'b', 'y']) })
  assert.equal(otherA?.children[0]?.name, 'X')
  assert.equal(sameB, newB)
})

test('a search shows the first hundred that it finds with what is above them, and counts all', () => {
  const tree = treeOf([category('a', null, 'Above'), ...crowd, category('z', null, 'Elsewhere')], new Map())
  const all = searchTree(tree, 'crowd')
  assert.deepEqual([all.total, all.roots.length, all.roots[0]?.children.length], [250, 1, 100])
  assert.deepEqual([...all.open], ['a'])
  assert.deepEqual(
    searchTree(tree, 'ELSE').roots.map(({ id }) => id),
    ['z'],
  )
  assert.equal(searchTree(tree, 'nowhere').total, 0)
})
