import assert from 'node:assert/strict'
import { test } from 'node:test'
import { clientAddress } from '../../platform/throttling/client-address.ts'
import { SignInThrottle } from './throttle.ts'

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

test('strangers together have a hundred tries at an account, then four an hour, and do not lock its owner out', () => {
  const { clock, throttle: it } = throttle()
  const guess = (i: number) => it.enter(`192.0.2.${i}`, 'ann@x', 'stranger')
  for (let i = 0; i < 100; i++) guess(i)
  assert.ok(it.isUsedUp('ann@x'))
  assert.throws(() => guess(100), { kind: 'rate_limited', retryAfterSeconds: 900 })
  it.enter('198.51.100.1', 'ann@x', { device: 'her browser' })
  it.enter('198.51.100.2', 'ann@x', 'known address')
  it.enter('192.0.2.101', 'bob@x', 'stranger')
  clock.now += 60 * MINUTE
  for (let i = 0; i < 4; i++) guess(i)
  assert.throws(() => guess(5), { kind: 'rate_limited' })
})

test('a sign-in by a stranger that succeeds counts as little as any other', () => {
  const { throttle: it } = throttle()
  for (let i = 0; i < 500; i++) it.enter(`192.0.2.${i}`, 'ann@x', 'stranger')()
  assert.ok(!it.isUsedUp('ann@x'))
})

test('whoever stole the cookie of a browser has ten tries from anywhere, then one a minute', () => {
  const { throttle: it } = throttle()
  const guess = (i: number) => it.enter(`192.0.2.${i}`, 'ann@x', { device: 'her browser' })
  for (let i = 0; i < 10; i++) guess(i)
  assert.throws(() => guess(10), { kind: 'rate_limited', retryAfterSeconds: 60 })
  it.enter('192.0.2.10', 'ann@x', { device: 'another one' })
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

test('all addresses of one /64 have sixty tries together, and ten of them for one account', () => {
  const { throttle: it } = throttle()
  const from = (ip: string, account: string) => it.enter(clientAddress(ip), account)
  for (let i = 0; i < 10; i++) from(`2001:db8:1:1::${i + 1}`, 'ann@x')
  assert.throws(() => from('2001:db8:1:1:ffff::1', 'ann@x'), { kind: 'rate_limited', retryAfterSeconds: 60 })
  for (let i = 0; i < 50; i++) from(`2001:db8:1:1:${i.toString(16)}::1`, `user-${i}@x`)
  assert.throws(() => from('2001:db8:1:1:abcd::1', 'another@x'), { kind: 'rate_limited', retryAfterSeconds: 3 })
  from('2001:db8:1:2::1', 'another@x')
})

test('tries from many /64 are counted by their /48, and tries from IPv4 by address alone', () => {
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

test('successful sign-ins do not count, so an office of any size can sign in', () => {
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
