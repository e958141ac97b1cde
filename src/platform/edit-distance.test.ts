import assert from 'node:assert/strict'
import { test } from 'node:test'
import * as fc from 'fast-check'
import { editDistance } from './edit-distance.ts'

/** Computes the textbook recurrence, without a limit. */
function plainDistance(a: string, b: string): number {
  if (a === '' || b === '') return a.length + b.length
  const same = a.at(-1) === b.at(-1)
  const steps = [
    plainDistance(a.slice(0, -1), b) + 1,
    plainDistance(a, b.slice(0, -1)) + 1,
    plainDistance(a.slice(0, -1), b.slice(0, -1)) + (same ? 0 : 1),
  ]
  if (a.at(-1) === b.at(-2) && a.at(-2) === b.at(-1) && a.length > 1 && b.length > 1) {
    steps.push(plainDistance(a.slice(0, -2), b.slice(0, -2)) + 1)
  }
  return Math.min(...steps)
}

test('the distance is that of the textbook recurrence, and -1 above the limit', () => {
  const word = fc.array(fc.constantFrom('a', 'b', 'c'), { maxLength: 6 }).map((letters) => letters.join(''))
  const property = fc.property(word, word, fc.nat(3), (a, b, limit) => {
    const expected = plainDistance(a, b)
    assert.equal(editDistance(a, b, limit), expected <= limit ? expected : -1)
  })
  fc.assert(property, { numRuns: 400 })
})

test('a swap of neighbours is one edit', () => {
  assert.equal(editDistance('drucker', 'durcker', 2), 1)
  assert.equal(editDistance('drucker', 'druker', 2), 1)
  assert.equal(editDistance('monitor', 'moniteur', 1), -1)
})
