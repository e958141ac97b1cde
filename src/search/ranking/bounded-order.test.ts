import assert from 'node:assert/strict'
import { test } from 'node:test'
import * as fc from 'fast-check'
import { boundedOrder, PLACES_MOVED_MAX } from './bounded-order.ts'

/** A score of few values, so that many scores are equal, with two values that are far from all others. */
const score = fc.oneof(
  fc.integer({ min: -3, max: 3 }),
  fc.double({ min: -1, max: 1, noNaN: true }),
  fc.constantFrom(-1e9, 1e9),
)
const ranking = fc.array(fc.record({ score, boost: fc.oneof(fc.constant(0), score) }), { maxLength: 80 })

/** Returns the changed scores, in the engine's order. */
const changed = (of: readonly { readonly score: number; readonly boost: number }[]): number[] =>
  of.toSorted((a, b) => b.score - a.score).map(({ score: own, boost }) => own + boost)

test("no hit moves more than three places from the engine's order, however many hits are boosted and however much", () => {
  fc.assert(
    fc.property(ranking, (of) => {
      const order = boundedOrder(changed(of))
      assert.deepEqual(
        order.toSorted((a, b) => a - b),
        of.map((_, i) => i),
      )
      for (const [place, index] of order.entries()) assert.ok(Math.abs(place - index) <= 3, order.join(' '))
    }),
    { numRuns: 1_000 },
  )
})

test('the start of a ranking gives the same places as the whole, so pages show every hit once', () => {
  fc.assert(
    fc.property(ranking, fc.nat(80), fc.integer({ min: 1, max: 20 }), (of, offset, limit) => {
      const scores = changed(of)
      const page = boundedOrder(scores.slice(0, offset + limit + PLACES_MOVED_MAX)).slice(offset, offset + limit)
      assert.deepEqual(page, boundedOrder(scores).slice(offset, offset + limit))
    }),
  )
})

test('without boosts, scores keep their order, and so do equal ones', () => {
  fc.assert(
    fc.property(fc.array(score), (scores) => {
      const ranked = scores.toSorted((a, b) => b - a)
      assert.deepEqual(
        boundedOrder(ranked),
        ranked.map((_, i) => i),
      )
    }),
  )
})

test('a hit rises past three others and no more, and the last may fall by three', () => {
  const ranked = [9, 8, 7, 6, 5, 4, 3, 2]
  assert.deepEqual(boundedOrder(ranked.with(7, 99)), [0, 1, 2, 3, 7, 4, 5, 6])
  assert.deepEqual(boundedOrder(ranked.with(0, -99)), [1, 2, 3, 0, 4, 5, 6, 7])
})

test('a hit that its limit does not hold back stands by its score', () => {
  fc.assert(
    fc.property(ranking, (of) => {
      const scores = changed(of)
      const order = boundedOrder(scores)
      for (let place = 1; place < order.length; place++) {
        const [before, after] = [order[place - 1], order[place]]
        const mayComeEarlier = after - (place - 1) <= PLACES_MOVED_MAX
        const hadToCome = before === place - 1 - PLACES_MOVED_MAX
        if (mayComeEarlier && !hadToCome) assert.ok(scores[before] >= scores[after])
      }
    }),
  )
})
