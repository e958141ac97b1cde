import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { queryKeyOf } from './query-key.ts'

test('spellings of one query share a key', () => {
  for (const query of ['Akku-Schrauber  18V', 'akku schrauber 18v', ' AKKU, Schrauber: 18V! ']) {
    assert.equal(queryKeyOf(query), 'akku schrauber 18v')
  }
  assert.equal(queryKeyOf('Kühlschränke'), queryKeyOf('kuehlschraenke'))
})

test('the order of words is kept', () => {
  assert.notEqual(queryKeyOf('house boat'), queryKeyOf('boat house'))
})

test('a query without words is its own key, and white space has none', () => {
  assert.equal(queryKeyOf(' ??? '), '???')
  assert.equal(queryKeyOf(' \t\n'), null)
})

test('a key is the key of itself and has at most 200 characters, whatever the query', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'grapheme', maxLength: 600 }), (query) => {
      const key = queryKeyOf(query)
      if (key === null) return
      assert.ok(Array.from(key).length <= 200)
      assert.equal(queryKeyOf(key), key)
    }),
  )
})
