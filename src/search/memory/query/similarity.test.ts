import assert from 'node:assert/strict'
import { test } from 'node:test'
import * as fc from 'fast-check'
import { cosine, plainAnalyser } from '../../../../test/support/search/naive.ts'
import { normalizeInPlace } from '../../../embedding/vectors.ts'
import { Arena } from '../columns/arena.ts'
import { bitsFor, hasBit, setBit } from '../columns/bitset.ts'
import { TenantIndex } from '../index/tenant-index.ts'
import { boundSimilarities, exactSimilarities, placesOf } from './similarity.ts'
import { DEFINITION, vectors } from '../../../../test/support/search/documents.ts'
import { document } from '../../../../test/support/search/source.ts'
import { inTier } from '../../../../test/support/tier.ts'
import { createVectorMemory, norm } from '../columns/vector-column.ts'
import { loadKernel } from '../columns/vector-kernel.ts'

const arena = new Arena()
const memory = createVectorMemory(arena, loadKernel(arena.memory))

/** Makes an index whose document i has the passages of list i. */
function indexOf(passages: readonly (readonly Float32Array[])[]): TenantIndex {
  const index = new TenantIndex(DEFINITION, memory, plainAnalyser)
  for (const [i, list] of passages.entries()) {
    const put = { ...document(`d${i}`, ''), passages: list.map((vector) => ({ vector, start: 0, end: 0 })) }
    index.apply({ seq: 1, put })
  }
  return index
}

function bestCosine(query: Float32Array, list: readonly Float32Array[]): number {
  return list.length === 0 ? 0 : Math.max(...list.map((vector) => cosine(query, vector)))
}

for (const dimensions of [1, 3, 16, 40]) {
  test(`the exact cosine lies within its bounds and equals the reference bit for bit (${dimensions} dimensions)`, () => {
    const vector = vectors(dimensions)
    const lists = fc.oneof(
      fc.array(fc.array(vector, { maxLength: 3 }), { minLength: 1, maxLength: 40 }),
      fc.array(fc.array(vector, { minLength: 1, maxLength: 1 }), { minLength: 1, maxLength: 70, size: 'max' }),
    )
    const queries = fc.array(fc.tuple(vector, fc.integer({ min: 1, max: 9 })), { minLength: 1, maxLength: 8 })
    const property = fc.property(lists, queries, (passages, searches) => {
      const index = indexOf(passages)
      const { bases } = placesOf(index.segments)
      const requests = searches.map(([query, every]) => {
        const mask = bitsFor(passages.length)
        for (let slot = 0; slot < passages.length; slot += every) setBit(mask, slot)
        return { direction: { vector: query, length: norm(query) }, masks: [mask] }
      })
      const bounds = boundSimilarities(memory, index.segments, requests)
      for (const [q, { direction, masks }] of requests.entries()) {
        for (const [slot, list] of passages.entries()) {
          const high = arena.f32[(bounds[q].highs >>> 2) + bases[0] + slot]
          const low = high - bounds[q].width
          const exact = bestCosine(direction.vector, list)
          if (hasBit(masks[0], slot)) assert.ok(low <= exact && exact <= high, `${low} <= ${exact} <= ${high}`)
          else assert.equal(high, -Infinity)
        }
      }
      const similarities = passages.map(() => 0)
      const rows = passages.map(() => 0)
      const slots = Array.from(passages.keys())
      exactSimilarities(memory, index.segments[0], slots, requests[0].direction, similarities, rows, 0)
      assert.deepEqual(
        similarities,
        passages.map((list) => bestCosine(searches[0][0], list)),
      )
      assert.deepEqual(
        rows.map((row) => row >= 0),
        passages.map((list) => list.length > 0),
      )
      index.free()
    })
    fc.assert(property, { numRuns: inTier({ gate: 40, all: 150 }) })
  })
}

test('bounds are so tight that few candidates remain: a few hundredths wide at 384 dimensions', () => {
  let state = 7
  const random = (): number => {
    state = (state * 48_271) % 2_147_483_647
    return state / 2_147_483_647 - 0.5
  }
  const make = (): Float32Array => normalizeInPlace(Float32Array.from({ length: 384 }, random))
  const index = indexOf(Array.from({ length: 64 }, () => [make()]))
  const mask = bitsFor(64).fill(0xffffffff)
  const vector = make()
  const direction = { vector, length: norm(vector) }
  const [{ width }] = boundSimilarities(memory, index.segments, [{ direction, masks: [mask] }])
  assert.ok(width < 0.05, `${width}`)
  index.free()
})
