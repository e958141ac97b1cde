import assert from 'node:assert/strict'
import { test } from 'node:test'
import * as fc from 'fast-check'
import { firstSorted } from './ranking.ts'

test('the first of a list in order are those of the sorted list, ties in any number', () => {
  const item = fc.tuple(fc.nat(6), fc.nat()).map(([key, id]) => ({ key, id }))
  const compare = (a: { key: number; id: number }, b: { key: number; id: number }): number =>
    a.key - b.key || a.id - b.id
  const property = fc.property(fc.array(item, { maxLength: 200, size: 'max' }), fc.nat(12), (items, count) => {
    assert.deepEqual(firstSorted([...items], count, compare), items.toSorted(compare).slice(0, count))
  })
  fc.assert(property, { numRuns: 300 })
})
