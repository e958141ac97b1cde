/** Tests with more data than the property tests: several segments, clustered vectors, dense and sparse filters. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { normalizeInPlace } from '../../../embedding/vectors.ts'
import type { Filter, IndexDocument, SearchRequest } from '../../engine.ts'
import { naiveSearch, plainAnalyser } from '../../../../test/support/search/naive.ts'
import { Arena } from '../columns/arena.ts'
import { compact } from './compaction.ts'
import { TenantIndex } from './tenant-index.ts'
import { DEFINITION } from '../../../../test/support/search/documents.ts'
import { createVectorMemory } from '../columns/vector-column.ts'
import { loadKernel } from '../columns/vector-kernel.ts'

const DIMENSIONS = 100
let state = 11
/** Returns a number that is uniform in [0, 1) and the same in every run (Lehmer, multiplier 48271). */
function random(): number {
  state = (state * 48_271) % 2_147_483_647
  return state / 2_147_483_647
}

const centres = Array.from({ length: 12 }, () => Float32Array.from({ length: DIMENSIONS }, () => random() - 0.5))

function near(centre: Float32Array, spread: number): Float32Array {
  return centre.map((value) => value + spread * (random() - 0.5))
}

function pick<T>(values: readonly T[]): T {
  return values[Math.floor(random() * values.length)]
}

function words(): string {
  return Array.from({ length: 8 }, () => `w${Math.floor(40 ** random())}`).join(' ')
}

function makeDocument(n: number): IndexDocument {
  const centre = pick(centres)
  const passages = Array.from({ length: n % 5 === 0 ? 3 : 1 }, () => ({
    vector: normalizeInPlace(near(centre, pick([0.001, 0.3, 1]))),
    start: 0,
    end: 1,
  }))
  return {
    id: `d${n}`,
    language: pick(['de', 'en']),
    changedAt: n % 7,
    group: `g${n >> 1}`,
    text: { title: [words()], body: [words()] },
    keys: { level: n % 50 === 0 ? ['secret', 'public'] : ['public'], owner: n % 3 === 0 ? ['ann'] : [] },
    numbers: { expires: n % 4 === 0 ? n : null },
    passages,
  }
}

const FILTERS: readonly Filter[] = [
  { all: [] },
  { field: 'level', anyOf: ['secret'] },
  { not: { field: 'owner', anyOf: ['ann'] } },
  { number: 'expires', above: 1_500, below: null, orMissing: false },
]

function makeRequest(): SearchRequest {
  return {
    version: { tenantId: 't', index: 'things', model: 'm', watermark: 0 },
    mode: pick(['semantic', 'keyword', 'hybrid']),
    query: words(),
    vector: near(pick(centres), 0.5),
    visible: pick(FILTERS),
    filter: pick(FILTERS),
    offset: pick([0, 0, 7]),
    limit: pick([1, 10, 40]),
    minSimilarity: pick([null, null, 0.2, 0.9]),
    vectorWeight: pick([0.5, 2]),
    byQuery: pick([undefined, true]),
    groups: pick([null, null, { prefer: { field: 'owner', anyOf: ['ann'] } }]),
    explain: false,
    facets: pick([undefined, { keys: [{ field: 'level', limit: 5 }], numbers: [{ field: 'expires', ranges: [] }] }]),
    relevance: pick([undefined, { minSimilarityWithoutMatch: 0.6 }]),
    prefixLast: pick([undefined, true]),
    pin: pick([undefined, { filter: { field: 'level', anyOf: ['secret'] }, bonus: 3 }]),
  }
}

test('answers equal brute force over thousands of documents in several segments, before and after compaction', async () => {
  const arena = new Arena()
  const index = new TenantIndex(DEFINITION, createVectorMemory(arena, loadKernel(arena.memory)), plainAnalyser)
  const living = new Map<string, IndexDocument>()
  const put = (n: number): void => {
    const document = makeDocument(n)
    index.apply({ seq: n, put: document })
    living.set(document.id, document)
  }
  const check = (): void => {
    const requests = Array.from({ length: 24 }, makeRequest)
    for (const [i, outcome] of index.search(requests).entries()) {
      if (outcome instanceof Error) throw outcome
      const expected = naiveSearch(DEFINITION, living.values(), requests[i], plainAnalyser)
      assert.equal(outcome.total, expected.total)
      assert.deepEqual(outcome.facets, expected.facets)
      assert.deepEqual(
        outcome.hits.map((hit) => [hit.id, hit.similarity]),
        expected.hits.map((hit) => [hit.id, hit.similarity]),
      )
      for (const [h, hit] of outcome.hits.entries()) assert.ok(Math.abs(hit.score - expected.hits[h].score) <= 1e-9)
    }
  }
  for (let n = 0; n < 2_400; n++) {
    put(n)
    if (n % 800 === 799) index.closeOpenSegment()
  }
  check()
  for (let n = 0; n < 1_200; n++) {
    if (n % 3 === 0) put(n)
    if (n % 3 !== 1) continue
    index.apply({ seq: n, remove: `d${n}` })
    living.delete(`d${n}`)
  }
  check()
  // Changes that arrive during a pause of the compaction must be in its result.
  let changes = 0
  const waits = (): Promise<void> | undefined => {
    if (++changes % 100 !== 0 || changes > 1_500) return undefined
    put(changes)
    index.apply({ seq: 1, remove: `d${changes + 1}` })
    living.delete(`d${changes + 1}`)
    return Promise.resolve()
  }
  assert.equal(await compact(index, waits), true)
  check()
  while (await compact(index, () => undefined)) check()
  assert.equal(index.documents, living.size)
  index.free()
})
