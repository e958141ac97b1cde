import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { BOOST_MAX } from './learning.ts'
import { rerankByClicks } from './rerank.ts'

const hits = fc
  .array(fc.double({ min: -1, max: 3, noNaN: true }), { maxLength: 30 })
  .map((scores) => scores.sort((a, b) => b - a).map((score, i) => ({ id: String(i), score })))
const boosts = fc.dictionary(fc.nat(40).map(String), fc.double({ min: -1, max: 1, noNaN: true }))

const asMap = (of: Record<string, number>) => new Map(Object.entries(of).map(([id, boost]) => [id, { boost }]))

test('clicks never carry a hit past another that is further ahead than twice the bound', () => {
  fc.assert(
    fc.property(hits, boosts, (before, of) => {
      const after = rerankByClicks(before, asMap(of))
      assert.deepEqual(new Set(after), new Set(before))
      const reach = before.length === 0 ? 0 : (before[0].score - before[before.length - 1].score) * 2 * BOOST_MAX
      for (const [i, hit] of after.entries()) {
        for (const later of after.slice(i + 1)) assert.ok(later.score - hit.score <= reach + 1e-9)
      }
    }),
  )
})

test('without boosts the order stays, ties included', () => {
  const before = ['a', 'b', 'c'].map((id) => ({ id, score: 1 }))
  assert.deepEqual(rerankByClicks(before, new Map()), before)
  assert.deepEqual(rerankByClicks(before, asMap({ z: 0.2 })), before)
})

test('a boosted hit passes one slightly ahead of it', () => {
  const before = [
    { id: 'a', score: 1 },
    { id: 'b', score: 0.9 },
    { id: 'c', score: 0 },
  ]
  assert.deepEqual(
    rerankByClicks(before, asMap({ b: 0.2 })).map((hit) => hit.id),
    ['b', 'a', 'c'],
  )
})
