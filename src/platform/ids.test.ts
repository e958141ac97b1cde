import assert from 'node:assert/strict'
import { test } from 'node:test'
import { newId, newIdAfter } from './ids.ts'

const UUID_7 = /^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/

test('a hundred thousand ids are version 7, unique, and sorted in the order they were made', () => {
  let last = ''
  for (let i = 0; i < 100_000; i++) {
    const id = newId()
    if (i % 1_000 === 0) assert.match(id, UUID_7)
    assert.ok(id > last, `${id} after ${last}`)
    last = id
  }
})

test('ids of one millisecond differ in more than a counter, so the next cannot be guessed', () => {
  const ends = new Set(Array.from({ length: 10_000 }, () => newId().slice(-10)))
  assert.equal(ends.size, 10_000)
})

test('an id can be made to sort after one from the future', () => {
  const future = newId().replace(/^......../, 'ffffffff')
  const behind = newIdAfter(future.replace(/^f/, '1'))
  assert.match(behind, UUID_7)
  assert.ok(behind > future.replace(/^f/, '1'))
})
