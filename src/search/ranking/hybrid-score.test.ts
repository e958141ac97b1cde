import assert from 'node:assert/strict'
import { test } from 'node:test'
import { hybridScore, sharesOf, weightOf } from './hybrid-score.ts'

test('the further the best cosine stands out, the more meaning weighs, and the tenant’s weight is a factor', () => {
  assert.ok(weightOf(0.5, 0.8, 0.3) > weightOf(0.5, 0.8, 0.6))
  assert.equal(weightOf(0.5, 0.7, 0.7), weightOf(0.5, 0.1, 0.1))
  assert.equal(weightOf(1, 0.8, 0.3), 2 * weightOf(0.5, 0.8, 0.3))
  assert.equal(weightOf(0, 0.8, 0.3), 0)
})

test('only a document in another language than the query is compared by meaning in place of words', () => {
  const shares = sharesOf('de')
  assert.equal(shares.de, 0)
  assert.ok(shares.en > 0 && shares.other === shares.en)
  const unsure = sharesOf(null)
  assert.ok(unsure.de < shares.en && unsure.de === unsure.en)
})

test('a share never lowers a score, and counts only above the coverage', () => {
  assert.equal(hybridScore(0.4, 0.5, 0.5, 0), 0.4 + 0.25)
  assert.equal(hybridScore(0.4, 0.5, 0.5, 0.7), 0.4 + 0.25)
  assert.equal(hybridScore(0, 0.5, 0.5, 0.7), 0.35 + 0.25)
  assert.equal(hybridScore(0, -0.5, 0.5, 0.7), -0.25)
})
