import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { type PriceAnswer, PriceTruth } from '../../bench/freshness/price-truth.ts'
import { behindOf, figuresOf } from '../../bench/freshness/searches.ts'

/** Five products; the first three get other prices. */
const truth = new PriceTruth(Float64Array.of(10, 20, 30, 40, 50), Float64Array.of(11, 60, 32, 40, 50), 0, 3)
const ALL = { from: 0, to: 5, low: 0, high: 100 }

/** Judges an answer with the products of some places, when so many lines were acknowledged and sent. */
function faultOf(
  prices: Readonly<Record<number, number>>,
  { question = ALL, acknowledged = 1, sent = 2, total = Object.keys(prices).length, limit = 10 } = {},
): string | null {
  const hits: PriceAnswer['hits'] = Object.entries(prices)
    .map(([place, price]) => ({ place: Number(place), price }))
    .toSorted((one, other) => one.price - other.price)
  return truth.faultOf(question, { total, hits, limit }, { acknowledged, sent })
}

describe('a search by price beside a push', () => {
  test('has the new price of an acknowledged line, the old of one that was not sent, and either between', () => {
    assert.equal(faultOf({ 0: 11, 1: 20, 2: 30, 3: 40, 4: 50 }), null)
    assert.equal(faultOf({ 0: 11, 1: 60, 2: 30, 3: 40, 4: 50 }), null)
    assert.match(faultOf({ 0: 10, 1: 20, 2: 30, 3: 40, 4: 50 })!, /product 0 has the price 10 instead of 11/)
    assert.match(faultOf({ 0: 11, 1: 20, 2: 32, 3: 40, 4: 50 })!, /product 2 has the price 32 instead of 30/)
    assert.match(faultOf({ 0: 11, 1: 25, 2: 30, 3: 40, 4: 50 })!, /product 1 has the price 25 instead of 20 or 60/)
  })

  test('may have or lack a product in flight, and no other', () => {
    const question = { ...ALL, low: 15, high: 45 }
    assert.equal(faultOf({ 1: 20, 2: 30, 3: 40 }, { question }), null)
    assert.equal(faultOf({ 2: 30, 3: 40 }, { question }), null)
    assert.match(faultOf({ 1: 20, 3: 40 }, { question })!, /product 2 at 30 is missing/)
    assert.match(faultOf({ 2: 30, 3: 40, 4: 50 }, { question })!, /product 4 costs 50, not 15 to 45/)
    assert.match(faultOf({ 2: 30, 3: 40 }, { question, total: 4 })!, /4 products instead of 2 to 3/)
  })

  test('is judged beyond its last hit by its total alone', () => {
    const settled = { acknowledged: 3, sent: 3, limit: 2 }
    assert.equal(faultOf({ 0: 11, 2: 32 }, { ...settled, total: 5 }), null)
    assert.match(faultOf({ 0: 11, 3: 40 }, { ...settled, total: 5 })!, /product 2 at 32 is missing/)
    assert.match(faultOf({ 0: 11, 2: 32 }, { ...settled, total: 4 })!, /4 products instead of 5/)
  })

  test('of a site has no product of another', () => {
    assert.match(faultOf({ 0: 11 }, { question: { ...ALL, from: 1 } })!, /product 0 is not of the site/)
  })
})

test('searches are counted by the moment at which they began, with their statuses and what they lacked', () => {
  const search = { ms: 5, status: 200, behind: null }
  const searches = [
    { ...search, began: 1 },
    { ...search, began: 2, ms: 9, behind: 7 },
    { ...search, began: 3, status: 503 },
    { ...search, began: 4 },
  ]
  const { count, max, statuses, behind, behindMax } = figuresOf(searches, 2, 4)
  assert.deepEqual({ count, max, behind, behindMax }, { count: 2, max: 9, behind: 1, behindMax: 7 })
  assert.deepEqual(statuses, { 200: 1, 503: 1 })
  assert.deepEqual([behindOf(undefined), behindOf('12'), behindOf('true')], [null, 12, 1])
})
