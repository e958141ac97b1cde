import assert from 'node:assert/strict'
import { test } from 'node:test'
import { AddressLimit } from './address-limit.ts'

test('the limit counts an IPv6 address by its /64 and an IPv4 address by itself, and lifts after a while', () => {
  const clock = { now: 1_000_000 }
  const limit = new AddressLimit({ atOnce: 3, perMinute: 20 }, () => clock.now)
  const refused = { kind: 'rate_limited', retryAfterSeconds: 3 }
  for (const ip of ['2001:db8:0:1::1', '2001:db8:0:1::2', '2001:db8:0:1:ffff:ffff:ffff:ffff']) limit.take(ip)
  assert.throws(() => limit.take('2001:db8:0:1:abcd::'), refused)
  for (let i = 0; i < 3; i++) limit.take('2001:db8:0:2::1')
  for (const ip of ['192.0.2.1', '::ffff:192.0.2.1', '192.0.2.1']) limit.take(ip)
  assert.throws(() => limit.take('192.0.2.1'), refused)
  limit.take('192.0.2.2')
  clock.now += 3_000
  limit.take('2001:db8:0:1::5')
  assert.throws(() => limit.take('2001:db8:0:1::6'), refused)
})

test('a /48 of IPv6 may send what four of its /64 may, and does not use up what another /48 may', () => {
  const clock = { now: 1_000_000 }
  const limit = new AddressLimit({ atOnce: 3, perMinute: 20 }, () => clock.now)
  for (let i = 0; i < 12; i++) limit.take(`2001:db8:1:${i}::1`)
  assert.throws(() => limit.take('2001:db8:1:99::1'), { kind: 'rate_limited', retryAfterSeconds: 1 })
  limit.take('2001:db8:2:1::1')
  clock.now += 750
  limit.take('2001:db8:1:99::1')
  assert.throws(() => limit.take('2001:db8:1:98::1'), { kind: 'rate_limited' })
})
