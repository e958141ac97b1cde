import assert from 'node:assert/strict'
import { test } from 'node:test'
import { noteSearches, turnMax } from './index-copy.ts'

test('of an index whose searches are dear fewer are answered in a turn, one at least', () => {
  const copy = { searchMs: 0 }
  const most = turnMax(copy)
  assert.ok(most > 1)
  noteSearches(copy, most * 0.1, most)
  assert.equal(turnMax(copy), most)
  for (let i = 0; i < 20; i++) noteSearches(copy, 12, 3)
  assert.equal(turnMax(copy), 2)
  for (let i = 0; i < 20; i++) noteSearches(copy, 50, 1)
  assert.equal(turnMax(copy), 1)
  for (let i = 0; i < 40; i++) noteSearches(copy, 0.1, 1)
  assert.equal(turnMax(copy), most)
})
