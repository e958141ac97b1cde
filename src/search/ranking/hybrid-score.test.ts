import assert from 'node:assert/strict'
import { test } from 'node:test'
import { hybridScore, insteadOf, sharesAcross, sharesOf, weightOf } from './hybrid-score.ts'

test('the further the best cosine stands out, the more meaning weighs, and the tenant’s weight is a factor', () => {
  assert.ok(weightOf(0.5, 0.8, 0.3) > weightOf(0.5, 0.8, 0.6))
  assert.equal(weightOf(0.5, 0.7, 0.7), weightOf(0.5, 0.1, 0.1))
  assert.equal(weightOf(1, 0.8, 0.3), 2 * weightOf(0.5, 0.8, 0.3))
  assert.equal(weightOf(0, 0.8, 0.3), 0)
})

test('only a document in another language than the query is compared by meaning in place of words', () => {
  const shares = sharesOf('de')
  assert.equal(shares.de, null)
  assert.ok(shares.en !== null && shares.other === shares.en)
  const unsure = sharesOf(null)
  assert.deepEqual([unsure.de, unsure.en], [null, null])
})

test('a model that compares across languages does so for all documents, where these have several languages', () => {
  const sharesIn = (de: number, en: number) => sharesAcross((partition) => ({ de, en, other: 0 })[partition])
  const mixed = sharesIn(60, 40)
  assert.ok(mixed.de !== null && mixed.de === mixed.en)
  assert.deepEqual(sharesIn(100, 0).de, null)
  assert.deepEqual(sharesIn(100, 1).de, null)
})

test('what counts in place of coverage never lowers a score, counts only above the coverage, and is at most 1', () => {
  const share = { slope: 0.7, offset: 0 }
  assert.equal(hybridScore(0.4, 0.5, 0.5, null), 0.4 + 0.25)
  assert.equal(hybridScore(0.4, 0.5, 0.5, share), 0.4 + 0.25)
  assert.equal(hybridScore(0, 0.5, 0.5, share), 0.35 + 0.25)
  assert.equal(hybridScore(0, -0.5, 0.5, share), -0.25)
  assert.equal(insteadOf({ slope: 2.5, offset: -0.5 }, 0.9), 1)
})
