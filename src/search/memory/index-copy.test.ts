import assert from 'node:assert/strict'
import { test } from 'node:test'
import { noteSearches, turnMax } from './index-copy.ts'

test('of an index whose searches are dear fewer are answered in a turn, one at least', () => {
  const copy = { searchMs: 0 }
  const most = turnMax(copy)
  assert.ok(most > 1)
  noteSearches(copy, most * 0.1, most)
  assert.equal(turnMax(copy), most)
  noteSearches(copy, 12, 3)
  assert.equal(turnMax(copy), 2)
  noteSearches(copy, 50, 1)
  assert.equal(turnMax(copy), 1)
  for (let i = 0; i < 80; i++) noteSearches(copy, 0.1, 1)
  assert.equal(turnMax(copy), most)
})

test('cheap searches between dear ones do not let many dear ones into a turn', () => {
  const copy = { searchMs: 0 }
  for (let i = 0; i < 20; i++) noteSearches(copy, i % 4 === 0 ? 6 : 0.3, 1)
  assert.equal(turnMax(copy), 1)
})
