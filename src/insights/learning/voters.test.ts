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

/** How many of them are heard. */
const heard = (origins: readonly Origin[], areTrusted = false): number => {
  const voters = new Voters(areTrusted)
  return origins.filter((each) => voters.hear(each)).length
}

test('whatever ids it makes up, a machine with a network of each kind stays under what learning asks for within its days', () => {
  const day = fc.nat(DAYS_MIN - 1)
  const ids = fc.array(fc.record({ day, visitor: fc.string(), network: fc.constantFrom('of IPv4', 'of IPv6') }), {
    maxLength: 300,
  })
  fc.assert(
    fc.property(ids, (made) => {
      const voters = new Voters(false)
      const origins = made.map((each) => origin(each))
      const visitors = new Set(origins.filter((each) => voters.hear(each)).map(({ visitor }) => visitor))
      assert.ok(visitors.size < VISITORS_MIN)
    }),
  )
})

test('three visitors of a network are heard on a day, and as many on the next', () => {
  const from = (more: Partial<Origin>) => Array.from({ length: 50 }, () => origin(more))
  assert.equal(heard(from({ network: 'one' })), 3)
  assert.equal(heard([...from({ network: 'one' }), ...from({ network: 'one', day: 2 })]), 6)
  assert.equal(heard(from({})), 50)
})

test('users, and visitors of a place that is trusted, are heard wherever they come from', () => {
  const crowd = Array.from({ length: 50 }, () => origin({ network: 'office' }))
  assert.equal(heard(crowd.map((each) => ({ ...each, period: null }))), 50)
  assert.equal(heard(crowd, true), 50)
})

test('of one visitor three searches are heard, and whoever searches without end keeps nobody out', () => {
  const eager = Array.from({ length: 5_000 }, () => origin({ visitor: 'eager' }))
  assert.equal(heard(eager), 3)
  assert.equal(heard([...eager, ...Array.from({ length: 999 }, () => origin())]), 1_002)
})
