import assert from 'node:assert/strict'
import { test } from 'node:test'
import { FactorThrottle } from './factor-throttle.ts'

const MINUTE = 60_000
const ANN = { tenantId: 'default', userId: 'ann' }

function stage() {
  const clock = { now: 1_000_000 }
  const throttle = new FactorThrottle(() => clock.now)
  let addresses = 0
  /** Tries once from an address that no other try came from. */
  const elsewhere = (kind: 'code' | 'recovery_code', holder = ANN) =>
    throttle.enter(`192.0.2.${addresses++}`, holder, kind)
  return { clock, throttle, elsewhere }
}

test('codes of one person are guessed twenty times from everywhere, then four times an hour', () => {
  const { clock, elsewhere } = stage()
  for (let i = 0; i < 20; i++) elsewhere('code')
  assert.throws(() => elsewhere('code'), { kind: 'rate_limited', retryAfterSeconds: 900 })
  clock.now += 15 * MINUTE
  elsewhere('code')
  assert.throws(() => elsewhere('code'), { kind: 'rate_limited' })
})

test('a person without tries left for codes still has recovery codes, and other people have tries of their own', () => {
  const { elsewhere } = stage()
  for (let i = 0; i < 20; i++) elsewhere('code')
  elsewhere('recovery_code')
  elsewhere('code', { tenantId: 'default', userId: 'bob' })
  elsewhere('code', { tenantId: 'another', userId: 'ann' })
})

test('a right code does not count, and a refused try costs the address nothing', () => {
  const { throttle, elsewhere } = stage()
  for (let i = 0; i < 100; i++) elsewhere('code')()
  for (let i = 0; i < 20; i++) elsewhere('code')
  const enter = (kind: 'code' | 'recovery_code') => throttle.enter('198.51.100.1', ANN, kind)
  for (let i = 0; i < 30; i++) assert.throws(() => enter('code'), { kind: 'rate_limited' })
  for (let i = 0; i < 10; i++) enter('recovery_code')
  assert.throws(() => enter('recovery_code'), { kind: 'rate_limited', retryAfterSeconds: 60 })
})
