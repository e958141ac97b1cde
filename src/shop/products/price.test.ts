import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import type { IndexDocument } from '../../search/engine.ts'
import { matches } from '../../../test/support/search/naive.ts'
import { changesWithTime, effectivePrice, effectivePriceFilter, priceNumbers } from './price.ts'

const amount = fc.constantFrom(null, '0', '0.00', '5', '11.00', '21.00')
const moment = fc.constantFrom(null, -1, 0, 1_000, 2_000)
const prices = fc.record({
  price_current: amount,
  price_special: amount,
  price_special_from: moment,
  price_special_until: moment,
})
const bound = fc.constantFrom(null, -1, 0, 4.99, 5, 11, 21)

const documentOf = (numbers: IndexDocument['numbers']): IndexDocument => ({
  id: 'p',
  language: 'de',
  changedAt: 0,
  group: 'p',
  text: {},
  keys: {},
  numbers,
  passages: [],
})

test('a price filter finds exactly the products whose price at that moment is in its range', () => {
  fc.assert(
    fc.property(prices, bound, bound, fc.integer({ min: -2, max: 2_002 }), (of, above, below, nowMs) => {
      const price = effectivePrice(of, nowMs)
      const isWithin = price !== null && Number(price) > (above ?? -Infinity) && Number(price) <= (below ?? Infinity)
      const filter = effectivePriceFilter(above, below, nowMs)
      assert.equal(matches(filter, documentOf(priceNumbers(of))), isWithin)
    }),
    { numRuns: 3_000 },
  )
})

test('a special price is in force from its first to its last moment', () => {
  const of = { price_current: '21.00', price_special: '11.00', price_special_from: 1_000, price_special_until: 2_000 }
  const at = (nowMs: number) => effectivePrice(of, nowMs)
  assert.deepEqual([at(999), at(1_000), at(2_000), at(2_001)], ['21.00', '11.00', '11.00', '21.00'])
  const always = { ...of, price_special_from: null, price_special_until: null }
  assert.deepEqual([effectivePrice(always, -1), changesWithTime(always), changesWithTime(of)], ['11.00', false, true])
})

test('a special price of 0 means none, as in shop systems', () => {
  const of = { price_current: '21.00', price_special: '0.00', price_special_from: null, price_special_until: null }
  assert.equal(effectivePrice(of, 0), '21.00')
  assert.equal(effectivePrice({ ...of, price_current: '0' }, 0), '0')
})
