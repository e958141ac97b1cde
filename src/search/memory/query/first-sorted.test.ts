import assert from 'node:assert/strict'
import { test } from 'node:test'
import * as fc from 'fast-check'
import { firstSorted } from './first-sorted.ts'

test('the first items equal those of the sorted list, with any number of ties', () => {
  const keys = fc.array(fc.nat(6), { maxLength: 200, size: 'max' })
  const property = fc.property(keys, fc.nat(12), (list, count) => {
    const compare = (a: number, b: number): number => list[a] - list[b] || b - a
    const all = Uint32Array.from(list.keys())
    const expected = [...all].sort(compare).slice(0, count)
    assert.deepEqual([...firstSorted(all, count, compare)], expected)
  })
  fc.assert(property, { numRuns: 300 })
})
