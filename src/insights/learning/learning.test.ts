import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import {
  areEnough,
  BOOST_MAX,
  boostFrom,
  boostOf,
  countRanks,
  rankCurve,
  RANKS_MAX,
  type ClickedSearch,
  tally,
} from './learning.ts'

const DAY_MS = 86_400_000
const NOW = 20_000 * DAY_MS

/** A page of products named a, b, c … */
function clickedSearch(options: {
  products?: string
  clicked?: string
  visitor?: string
  period?: number | null
  daysAgo?: number
}): ClickedSearch {
  const { products = 'abcde', clicked = '', visitor = 'u', period = 7, daysAgo = 0 } = options
  return {
    visitor,
    period,
    day: NOW / DAY_MS - daysAgo,
    shown: Array.from(products, (productId, i) => ({ productId, rank: i + 1 })),
    clicked: new Set(clicked),
  }
}

/** Searches of visitors with different names, spread over three days. */
const many = (count: number, options: (i: number) => Parameters<typeof clickedSearch>[0]): ClickedSearch[] =>
  Array.from({ length: count }, (_, i) =>
    clickedSearch({ visitor: `u${i}`, daysAgo: Math.floor(i / 3) % 3, ...options(i) }),
  )

function learn(searches: readonly ClickedSearch[], nowMs = NOW) {
  const tallies = tally(searches, nowMs)
  const curve = rankCurve(countRanks(tallies.values()))
  return new Map([...tallies].map(([id, of]) => [id, boostOf(of, curve)]))
}

const amounts = fc.double({ min: 0, max: 1e6, noNaN: true })

test('a boost stays within its bound, whatever was clicked', () => {
  fc.assert(
    fc.property(amounts, amounts, (clicks, expected) => {
      assert.ok(Math.abs(boostFrom(clicks, expected)) <= BOOST_MAX)
    }),
  )
})

test('more clicks never lower a boost, and more expected clicks never raise it', () => {
  fc.assert(
    fc.property(amounts, amounts, amounts, (clicks, expected, more) => {
      assert.ok(boostFrom(clicks + more, expected) >= boostFrom(clicks, expected))
      assert.ok(boostFrom(clicks, expected + more) <= boostFrom(clicks, expected))
    }),
  )
})

test('without clicks and impressions there is no boost', () => {
  assert.equal(boostFrom(0, 0), 0)
  assert.equal(learn([]).size, 0)
})

test('a thousand clicks of one visitor count as one', () => {
  const once = tally([clickedSearch({ clicked: 'c' })], NOW)
  const often = tally(
    Array.from({ length: 1_000 }, () => clickedSearch({ clicked: 'c' })),
    NOW,
  )
  assert.deepEqual(often, once)
})

test('a visitor counts once for a product, even when coming back on other days', () => {
  const tallies = tally(
    [clickedSearch({ clicked: 'c', daysAgo: 0 }), clickedSearch({ clicked: 'cd', daysAgo: 3 })],
    NOW,
  )
  assert.equal(tallies.get('c')!.clicks, 1)
  assert.deepEqual(
    [...tallies.get('c')!.shownAt.values()].map(({ shown }) => shown),
    [1],
  )
  assert.equal(tallies.get('d')!.clicks, 1)
})

/** The boost of the last product when these visitors click it, and a crowd clicks the first product. */
const boostAfter = (clicks: readonly ClickedSearch[]): number =>
  learn([...many(100, () => ({ clicked: 'a' })), ...clicks]).get('e')!.boost

test('nineteen visitors teach nothing, twenty on three days do, twenty on two days do not', () => {
  const clicks = (count: number, days: number) =>
    many(count, (i) => ({ visitor: `v${i}`, clicked: 'e', daysAgo: i % days }))
  assert.ok(boostAfter(clicks(19, 3)) <= 0)
  assert.ok(boostAfter(clicks(20, 3)) > 0)
  assert.ok(boostAfter(clicks(200, 2)) <= 0)
})

test('visitors of two salt periods may be the same people, so they are not added up; users count with either', () => {
  const clicks = (count: number, period: number | null) =>
    many(count, (i) => ({ visitor: `${period} ${i}`, period, clicked: 'e' }))
  assert.ok(boostAfter([...clicks(10, 1), ...clicks(10, 2), ...clicks(10, 3)]) <= 0)
  assert.ok(boostAfter([...clicks(10, 1), ...clicks(10, null)]) > 0)
  assert.ok(boostAfter(clicks(20, null)) > 0)
})

test('a product falls when many visitors pass it over, but not when few do', () => {
  const passed = (count: number) => learn(many(count, () => ({ clicked: 'b' }))).get('a')!.boost
  assert.equal(passed(19), 0)
  assert.ok(passed(20) < 0)
})

test('a query in which too few visitors clicked teaches nothing', () => {
  assert.equal(areEnough(many(19, () => ({ clicked: 'a' }))), false)
  assert.equal(areEnough(many(20, () => ({ clicked: 'a' }))), true)
  assert.equal(areEnough(Array.from({ length: 60 }, (_, i) => clickedSearch({ clicked: 'a', daysAgo: i % 3 }))), false)
})

test('a product that a visitor sees again counts at its best rank', () => {
  const [best] = [...tally([clickedSearch({ products: 'xya' }), clickedSearch({ products: 'ax' })], NOW)]
    .filter(([id]) => id === 'a')
    .map(([, of]) => of)
  assert.deepEqual([...best.shownAt.keys()], [1])
})

test('the first place earns nothing by itself: the same clicks give a product further down a higher boost', () => {
  const log = many(400, (i) => ({ clicked: i % 10 === 0 ? 'a' : i % 10 === 1 ? 'e' : i % 2 === 0 ? 'b' : '' }))
  const boosts = learn(log)
  assert.ok(Math.abs(boosts.get('a')!.clicks - boosts.get('e')!.clicks) < 0.5)
  assert.ok(boosts.get('e')!.boost > boosts.get('a')!.boost)
  assert.ok(boosts.get('e')!.boost > 0)
})

test('a product shown at the top and never clicked falls', () => {
  const boosts = learn(many(300, (i) => ({ clicked: i % 3 === 0 ? 'b' : '' })))
  assert.ok(boosts.get('a')!.boost < 0)
  assert.ok(boosts.get('b')!.boost > 0)
})

test('a click counts half after thirty days', () => {
  const clicks = (daysAgo: number): number => tally([clickedSearch({ clicked: 'a', daysAgo })], NOW).get('a')!.clicks
  assert.ok(Math.abs(clicks(30) / clicks(0) - 0.5) < 1e-9)
  assert.ok(clicks(90) < clicks(60))
})

const counts = fc.array(fc.record({ shown: fc.nat(10_000), clicked: fc.nat(10_000) }), {
  minLength: RANKS_MAX,
  maxLength: RANKS_MAX,
})

test('the curve of ranks never rises and stays between 0 and 1, whatever was counted', () => {
  fc.assert(
    fc.property(counts, (of) => {
      const curve = rankCurve(of)
      assert.equal(curve.length, RANKS_MAX)
      for (const [i, rate] of curve.entries()) {
        assert.ok(rate > 0 && rate <= 1)
        if (i > 0) assert.ok(rate <= curve[i - 1])
      }
    }),
  )
})

test('the curve follows a large log and the fallback a small one', () => {
  const rates = [0.4, 0.2, 0.1]
  const of = (shown: number) =>
    Array.from({ length: RANKS_MAX }, (_, i) => ({ shown: i < 3 ? shown : 0, clicked: i < 3 ? shown * rates[i] : 0 }))
  rankCurve(of(1_000_000))
    .slice(0, 3)
    .forEach((rate, i) => assert.ok(Math.abs(rate - rates[i]) < 0.001))
  assert.deepEqual(
    rankCurve(of(0))
      .slice(0, 4)
      .map((rate) => rate.toFixed(4)),
    ['0.3400', '0.1700', '0.1133', '0.0850'],
  )
})

test('any log gives boosts within the bound, and none to products that were never shown', () => {
  const log = fc.array(
    fc.record({
      products: fc.uniqueArray(fc.constantFrom(...Array.from('abcdefgh')), { minLength: 1 }).map((ids) => ids.join('')),
      clicked: fc.constantFrom('', 'a', 'bc', 'h'),
      visitor: fc.constantFrom('u', 'v', 'w'),
      period: fc.constantFrom(null, 1, 2),
      daysAgo: fc.nat(90),
    }),
  )
  fc.assert(
    fc.property(log, (options) => {
      const shown = new Set(options.flatMap(({ products }) => Array.from(products)))
      for (const [id, { boost, clicks, expectedClicks }] of learn(options.map(clickedSearch))) {
        assert.ok(shown.has(id))
        assert.ok(Math.abs(boost) <= BOOST_MAX && clicks >= 0 && expectedClicks > 0)
      }
    }),
  )
})

test('a rank below the last estimated one counts as the last', () => {
  const page = { ...clickedSearch({}), shown: [{ productId: 'a', rank: 900 }], clicked: new Set<string>() }
  assert.deepEqual(tally([page], NOW).get('a')!.shownAt, new Map([[RANKS_MAX, { shown: 1, clicked: 0 }]]))
})
