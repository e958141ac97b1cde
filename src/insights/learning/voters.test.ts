import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { type Origin, Voters } from './voters.ts'
import { DAYS_MIN, VISITORS_MIN } from './votes.ts'

let last = 0
const origin = (more: Partial<Origin> = {}): Origin => ({
  visitor: `v${++last}`,
  period: 1,
  day: 1,
  network: `n${last}`,
  ...more,
})

/** Counts the searches that count. */
const countOf = (origins: readonly Origin[], areTrusted = false): number => {
  const voters = new Voters(areTrusted)
  return origins.filter((each) => voters.count(each)).length
}

test('one machine with an IPv4 and an IPv6 network never reaches the visitors learning needs, whatever ids it makes up', () => {
  const day = fc.nat(DAYS_MIN - 1)
  const ids = fc.array(fc.record({ day, visitor: fc.string(), network: fc.constantFrom('of IPv4', 'of IPv6') }), {
    maxLength: 300,
  })
  fc.assert(
    fc.property(ids, (records) => {
      const voters = new Voters(false)
      const origins = records.map((each) => origin(each))
      const visitors = new Set(origins.filter((each) => voters.count(each)).map(({ visitor }) => visitor))
      assert.ok(visitors.size < VISITORS_MIN)
    }),
  )
})

test('three visitors of a network count on a day, and three more on the next', () => {
  const from = (more: Partial<Origin>) => Array.from({ length: 50 }, () => origin(more))
  assert.equal(countOf(from({ network: 'one' })), 3)
  assert.equal(countOf([...from({ network: 'one' }), ...from({ network: 'one', day: 2 })]), 6)
  assert.equal(countOf(from({})), 50)
})

test('users, and visitors whose ids are trusted, count whatever network they come from', () => {
  const crowd = Array.from({ length: 50 }, () => origin({ network: 'office' }))
  assert.equal(countOf(crowd.map((each) => ({ ...each, period: null }))), 50)
  assert.equal(countOf(crowd, true), 50)
})

test('three searches of a visitor count, and one who searches endlessly does not crowd out others', () => {
  const eager = Array.from({ length: 5_000 }, () => origin({ visitor: 'eager' }))
  assert.equal(countOf(eager), 3)
  assert.equal(countOf([...eager, ...Array.from({ length: 999 }, () => origin())]), 1_002)
})
