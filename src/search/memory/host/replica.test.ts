import assert from 'node:assert/strict'
import { test } from 'node:test'
import { noteSearches, batchMax, TURN_MS } from './replica.ts'

test('if an index has expensive searches, fewer of them are answered together, but at least one', () => {
  const replica = { searchMs: 0 }
  const most = batchMax(replica, TURN_MS)
  assert.ok(most > 1)
  noteSearches(replica, most * 0.1, most)
  assert.equal(batchMax(replica, TURN_MS), most)
  noteSearches(replica, 12, 3)
  assert.equal(batchMax(replica, TURN_MS), 2)
  noteSearches(replica, 50, 1)
  assert.equal(batchMax(replica, TURN_MS), 1)
  for (let i = 0; i < 80; i++) noteSearches(replica, 0.1, 1)
  assert.equal(batchMax(replica, TURN_MS), most)
})

test('cheap searches between expensive ones do not let many expensive ones into a turn', () => {
  const replica = { searchMs: 0 }
  for (let i = 0; i < 20; i++) noteSearches(replica, i % 4 === 0 ? 6 : 0.3, 1)
  assert.equal(batchMax(replica, TURN_MS), 1)
})
