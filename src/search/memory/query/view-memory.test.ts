import assert from 'node:assert/strict'
import { test } from 'node:test'
import { plainAnalyser } from '../../../../test/support/search/naive.ts'
import { DEFINITION } from '../../../../test/support/search/documents.ts'
import type { IndexDocument } from '../../engine.ts'
import { Arena } from '../columns/arena.ts'
import { TenantIndex } from '../index/tenant-index.ts'
import type { TextAnalyser } from '../../indexing/text-analyser.ts'
import { createVectorMemory } from '../columns/vector-column.ts'
import { loadKernel } from '../columns/vector-kernel.ts'
import { type SlotSet, ViewMemory } from './view-memory.ts'

function someSet(): SlotSet {
  const bits = new Uint32Array(1)
  const statistics = { lengthSum: null, partitionCounts: new Map(), documentFrequencies: new Map() }
  return { bits, count: 0, isWhole: false, ...statistics, memory: null }
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

test('a search that failed is tried again, also where its answer would be kept', () => {
  const memory = ViewMemory.of([someSet()])
  const answer = { hits: [], total: 0 }
  const full = new Error('the memory is full')
  assert.equal(
    memory.answer('la', () => full),
    full,
  )
  assert.equal(
    memory.answer('la', () => answer),
    answer,
  )
  assert.equal(
    memory.answer('la', () => full),
    answer,
  )
})

test('what is found among documents that have not expired stays known while time passes and none expires', () => {
  const arena = new Arena()
  let read = 0
  const analyser: TextAnalyser = {
    ...plainAnalyser,
    readQuery: (query) => {
      read++
      return plainAnalyser.readQuery(query)
    },
  }
  const index = new TenantIndex(DEFINITION, createVectorMemory(arena, loadKernel(arena.memory)), analyser)
  for (const [seq, expires] of [null, 5_000, 9_000].entries()) index.apply({ seq, put: lamp(`d${seq}`, expires) })
  const typed = (nowMs: number): string[] => {
    const visible = { all: [{ number: 'expires', above: nowMs, below: null, orMissing: true }] }
    const [answer] = index.search([
      {
        version: { tenantId: 't', index: 'things', model: null, watermark: 0 },
        mode: 'keyword',
        query: 'la',
        prefixLast: true,
        vector: null,
        visible,
        filter: { all: [] },
        offset: 0,
        limit: 40,
        minSimilarity: null,
        vectorWeight: 0,
        groups: null,
        explain: false,
      },
    ])
    assert.ok(!(answer instanceof Error))
    return answer.hits.map(({ id }) => id).sort()
  }
  assert.deepEqual(typed(1_000), ['d0', 'd1', 'd2'])
  assert.deepEqual(typed(4_999), ['d0', 'd1', 'd2'])
  assert.equal(read, 1)
  assert.deepEqual(typed(5_000), ['d0', 'd2'])
  assert.deepEqual(typed(8_999), ['d0', 'd2'])
  assert.equal(read, 2)
  index.free()
})

function lamp(id: string, expires: number | null): IndexDocument {
  return {
    id,
    language: 'en',
    changedAt: 1,
    group: id,
    text: { title: ['lamp'], body: [], tags: [] },
    keys: {},
    numbers: { expires, size: null },
    passages: [],
  }
}
