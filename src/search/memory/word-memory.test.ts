import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { SlotSet } from './filters.ts'
import { WordMemory } from './word-memory.ts'

function someSet(): SlotSet {
  const bits = new Uint32Array(1)
  const counted = { lengthSum: null, partitionCounts: new Map(), documentFrequencies: new Map() }
  return { bits, count: 0, whole: false, ...counted, words: null }
}

const word = (term: string) => [{ term, terms: { de: term, en: null, other: null }, edits: 0, frequency: 1 }]

test('what a beginning stands for is kept for the same documents, and for no others', () => {
  const sets = [someSet(), someSet()]
  assert.deepEqual(
    WordMemory.of(sets).get('l', () => word('lamp')),
    word('lamp'),
  )
  assert.deepEqual(
    WordMemory.of([...sets]).get('l', () => word('other')),
    word('lamp'),
  )
  // A change of any segment gives it another set.
  assert.deepEqual(
    WordMemory.of([someSet(), sets[1]]).get('l', () => word('leaf')),
    word('leaf'),
  )
  assert.deepEqual(
    WordMemory.of([sets[0], someSet()]).get('l', () => word('lime')),
    word('lime'),
  )
  assert.deepEqual(
    WordMemory.of([sets[1]]).get('l', () => word('lid')),
    word('lid'),
  )
})

test('however many beginnings are asked for, the memory is bounded, and it says how much it takes', () => {
  const memory = WordMemory.of([someSet()])
  const sizes = Array.from({ length: 2_000 }, (_, i) => {
    memory.get(String(i).padStart(4, '0'), () => word('lamp'))
    return memory.heapBytes
  })
  assert.ok(sizes[0] > 0 && sizes[100] > sizes[50])
  assert.equal(sizes[1_999], sizes[1_000])
})
