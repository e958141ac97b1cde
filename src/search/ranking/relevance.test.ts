import assert from 'node:assert/strict'
import { test } from 'node:test'
import * as fc from 'fast-check'
import { leastCosine, relevanceOf } from './relevance.ts'

const share = fc.double({ min: 0, max: 1, noNaN: true })
const judgement = fc.constantFrom('contextual', 'static', 'foreign')
const cosine = fc.double({ min: -1, max: 1, noNaN: true })

test('relevance lies between 0 and 1, and more words or more meaning never lower it', () => {
  fc.assert(
    fc.property(share, share, cosine, cosine, judgement, (cover, otherCover, near, far, by) => {
      const relevance = relevanceOf(Math.min(cover, otherCover), Math.min(near, far), by)
      const more = relevanceOf(Math.max(cover, otherCover), Math.max(near, far), by)
      assert.ok(relevance >= 0 && more <= 1)
      assert.ok(relevance <= more)
    }),
  )
})

test('the least cosine is the border between hits that reach a relevance and hits that do not', () => {
  fc.assert(
    fc.property(share, share, judgement, (cover, minimum, by) => {
      const least = leastCosine(cover, minimum, by)
      if (least === -Infinity) assert.ok(relevanceOf(cover, -1) >= minimum)
      else if (least === Infinity) assert.ok(relevanceOf(cover, 1) < minimum)
      else {
        assert.ok(relevanceOf(cover, Math.min(1, least + 1e-9), by) >= minimum - 1e-8)
        assert.ok(relevanceOf(cover, least - 1e-9, by) <= minimum + 1e-8)
      }
    }),
  )
})

test('all words are relevant without a vector, and neither chance in words nor in meaning is', () => {
  assert.ok(relevanceOf(1, 0) > 0.5)
  assert.ok(relevanceOf(0.3, 0.1) < 0.2)
  assert.ok(relevanceOf(0, 0.4) < 0.2)
  assert.ok(relevanceOf(0, 0.8) > 0.5)
})
