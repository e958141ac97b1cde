import assert from 'node:assert/strict'
import { test } from 'node:test'
import { readyItems } from './ready-items.ts'

test('an item is ready once it has vectors and no longer waits', () => {
  assert.equal(readyItems({ items: 9, embedded: 9, pending: 0 }), 9)
  assert.equal(readyItems({ items: 9, embedded: 9, pending: 7 }), 2, 'seven have stand-ins')
  assert.equal(readyItems({ items: 9, embedded: 2, pending: 0 }), 2, 'the others are not queued yet')
  assert.equal(readyItems({ items: 9, embedded: 0, pending: 10 }), 0, 'an item was deleted between the two counts')
})
