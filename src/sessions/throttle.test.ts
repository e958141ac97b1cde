import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { clientAddress, clientNetwork } from '../http/client-address.ts'
import { SignInThrottle } from './throttle.ts'
import { TokenBuckets } from '../http/token-buckets.ts'

const MINUTE = 60_000

function throttle() {
  const clock = { now: 1_000_000 }
  return { clock, throttle: new SignInThrottle(() => clock.now) }
}

test('an account from one address has ten tries, then one a minute, and then ten again', () => {
  const { clock, throttle: it } = throttle()
  const attempt = () => it.enter('192.0.2.1', 'ann@x')
  for (let i = 0; i < 10; i++) attempt()
  assert.throws(attempt, { kind: 'rate_limited', retryAfterSeconds: 60 })
  clock.now += MINUTE - 1_500
  assert.throws(attempt, { kind: 'rate_limited', retryAfterSeconds: 2 })
  clock.now += 1_500
  attempt()
  assert.throws(attempt, { kind: 'rate_limited' })
  clock.now += 10 * MINUTE
  for (let i = 0; i < 10; i++) attempt()
  assert.throws(attempt, { kind: 'rate_limited' })
})

test('whoever guesses at an account from elsewhere keeps its owner from nothing', () => {
  const { throttle: it } = throttle()
  for (let i = 0; i < 1_000; i++) {
    for (let j = 0; j < 10; j++) it.enter(`192.0.2.${i}`, 'ann@x')
  }
  it.enter('198.51.100.1', 'ann@x')
})

test('an address has sixty tries over all accounts, then twenty a minute', () => {
  const { clock, throttle: it } = throttle()
  for (let i = 0; i < 60; i++) it.enter('192.0.2.1', `user-${i}@x`)
  assert.throws(() => it.enter('192.0.2.1', 'another@x'), { kind: 'rate_limited', retryAfterSeconds: 3 })
  it.enter('192.0.2.2', 'another@x')
  clock.now += MINUTE
  for (let i = 0; i < 20; i++) it.enter('192.0.2.1', `late-${i}@x`)
  assert.throws(() => it.enter('192.0.2.1', 'another@x'), { kind: 'rate_limited' })
})

test('a guesser with a new /64 for each try is counted by the /48, and IPv4 by its address alone', () => {
  const { clock, throttle: it } = throttle()
  const from = (ip: string) => it.enter(clientAddress(ip), 'ann@x')
  for (let i = 0; i < 240; i++) from(`2001:db8:1:${i.toString(16)}::1`)
  assert.throws(() => from('2001:db8:1:ffff::1'), { kind: 'rate_limited', retryAfterSeconds: 1 })
  from('2001:db8:2::1')
  for (let i = 0; i < 255; i++) from(`192.0.2.${i}`)
  clock.now += MINUTE
  for (let i = 0; i < 80; i++) from(`2001:db8:1:1${(0x100 + i).toString(16)}::1`)()
  for (let i = 0; i < 80; i++) from(`2001:db8:1:1${(0x100 + i).toString(16)}::1`)
  assert.throws(() => from('2001:db8:1:ffff::1'), { kind: 'rate_limited' })
})

test('what succeeds counts for nothing, so an office signs in however large it is', () => {
  const { throttle: it } = throttle()
  for (let i = 0; i < 500; i++) it.enter('192.0.2.1', `user-${i % 7}@x`)()
  for (let i = 0; i < 10; i++) it.enter('192.0.2.1', 'ann@x')
  assert.throws(() => it.enter('192.0.2.1', 'ann@x'), { kind: 'rate_limited' })
})

test('many tries at once are counted before any of them ends', () => {
  const { throttle: it } = throttle()
  const ends = Array.from({ length: 10 }, () => it.enter('192.0.2.1', 'ann@x'))
  assert.throws(() => it.enter('192.0.2.1', 'ann@x'), { kind: 'rate_limited' })
  ends[0]()
  it.enter('192.0.2.1', 'ann@x')
})

test('a bucket gives its capacity and what has come since, whatever is asked and when', () => {
  const step = fc.record({ wait: fc.nat(5_000), gives: fc.boolean() })
  fc.assert(
    fc.property(fc.integer({ min: 1, max: 20 }), fc.array(step, { maxLength: 100 }), (capacity, steps) => {
      const buckets = new TokenBuckets(capacity, 1_000)
      let tokens = capacity
      let now = 0
      for (const { wait, gives } of steps) {
        now += wait
        tokens = Math.min(capacity, tokens + wait / 1_000)
        const waitMs = buckets.waitMs('a', now)
        assert.ok(Math.abs(waitMs - Math.max(0, 1 - tokens) * 1_000) < 0.01, `${waitMs} with ${tokens}`)
        if (waitMs > 0) continue
        buckets.take('a', now)
        tokens -= 1
        if (!gives) continue
        buckets.giveBack('a', now)
        tokens = Math.min(capacity, tokens + 1)
      }
    }),
  )
})

test('an address of IPv6 is its /64, and one of IPv4 is itself however it comes', () => {
  const prefix = '2001:db8:0:12::/64'
  for (const ip of ['2001:db8:0:12::1', '2001:0DB8::12:ffff:1:2:3', '2001:db8:0:12:1:2:3:4', '2001:db8:0:12::']) {
    assert.equal(clientAddress(ip), prefix, ip)
  }
  assert.equal(clientAddress('::1'), '0:0:0:0::/64')
  assert.equal(clientAddress('fe80::1%eth0'), 'fe80:0:0:0::/64')
  assert.equal(clientAddress('64:ff9b::192.0.2.1'), '64:ff9b:0:0::/64')
  assert.equal(clientAddress('192.0.2.1'), '192.0.2.1')
  assert.equal(clientAddress('::ffff:192.0.2.1'), '192.0.2.1')
})

test('the network of an address is its /48 or its /24', () => {
  const networkOf = (ip: string) => clientNetwork(clientAddress(ip))
  assert.equal(networkOf('2001:db8:a:12::1'), '2001:db8:a::/48')
  assert.equal(networkOf('2001:db8::1'), '2001:db8:0::/48')
  assert.equal(networkOf('::1'), '0:0:0::/48')
  assert.equal(networkOf('192.0.2.77'), '192.0.2.0/24')
  assert.equal(networkOf('::ffff:192.0.2.78'), '192.0.2.0/24')
})
