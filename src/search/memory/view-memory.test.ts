import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { SlotSet } from './filters.ts'
import { ViewMemory } from './view-memory.ts'

function someSet(): SlotSet {
  const bits = new Uint32Array(1)
  const counted = { lengthSum: null, partitionCounts: new Map(), documentFrequencies: new Map() }
  return { bits, count: 0, whole: false, ...counted, memory: null }
}

const word = (term: string) => [{ term, terms: { de: term, en: null, other: null }, edits: 0, frequency: 1 }]

test('what a beginning stands for is kept for the same documents, and for no others', () => {
  const sets = [someSet(), someSet()]
  assert.deepEqual(
    ViewMemory.of(sets).words('l', () => word('lamp')),
    word('lamp'),
  )
  assert.deepEqual(
    ViewMemory.of([...sets]).words('l', () => word('other')),
    word('lamp'),
  )
  // A change of any segment gives it another set.
  for (const others of [[someSet(), sets[1]], [sets[0], someSet()], [sets[1]]]) {
    assert.deepEqual(
      ViewMemory.of(others).words('l', () => word('leaf')),
      word('leaf'),
    )
  }
})

test('however many beginnings are asked for, the memory is bounded, and it says how much it takes', () => {
  const memory = ViewMemory.of([someSet()])
  const sizes = Array.from({ length: 20_000 }, (_, i) => {
    memory.words(String(i).padStart(5, '0'), () => word('lamp'))
    return memory.heapBytes
  })
  assert.ok(sizes[0] > 0 && sizes[100] > sizes[50])
  assert.equal(sizes[19_999], sizes[15_000])
  assert.ok(sizes[19_999] <= 4 * 2 ** 20)
})
