import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { TokenBuckets } from './token-buckets.ts'

const REFUSAL = { loc: ['header', 'authorization'], msg: 'Too many' }

test('a minute has so many tokens; a refusal says how long to wait and takes no token', () => {
  const buckets = new TokenBuckets(60, 1_000)
  const take = (name: string, now: number) => buckets.takeOrRefuse(name, now, REFUSAL)
  for (let i = 0; i < 60; i++) take('a', 1_000)
  assert.throws(() => take('a', 1_000), { kind: 'rate_limited', retryAfterSeconds: 1 })
  take('b', 1_000)
  take('a', 2_000)
  assert.throws(() => take('a', 2_000), { kind: 'rate_limited' })
  for (let i = 0; i < 60; i++) take('a', 70_000)
})

test('a request of several tokens is refused while some are missing, and told when all of them are there', () => {
  const buckets = new TokenBuckets(10, 1_000)
  const take = (more: number, now: number) => {
    buckets.takeOrRefuse('a', now, REFUSAL)
    buckets.takeMoreOrRefuse('a', 0, more, now, REFUSAL)
  }
  take(4, 0)
  assert.throws(() => take(6, 0), { kind: 'rate_limited', retryAfterSeconds: 3 })
  assert.throws(() => take(6, 2_999), { kind: 'rate_limited' })
  buckets.giveBack('a', 2_999)
  buckets.giveBack('a', 2_999)
  take(6, 3_000)
})

test('a request that costs more than a full bucket is served once the bucket is full, and paid for afterwards', () => {
  const buckets = new TokenBuckets(10, 1_000)
  const take = (more: number, now: number) => {
    buckets.takeOrRefuse('a', now, REFUSAL)
    buckets.takeMoreOrRefuse('a', 0, more, now, REFUSAL)
  }
  take(29, 0)
  for (const now of [0, 10_000, 20_999])
    assert.throws(() => buckets.takeOrRefuse('a', now, REFUSAL), { kind: 'rate_limited' }, `${now}`)
  buckets.takeOrRefuse('a', 21_000, REFUSAL)
  const single = new TokenBuckets(1, 1_000)
  single.takeOrRefuse('a', 0, REFUSAL)
  single.takeMoreOrRefuse('a', 0, 5, 0, REFUSAL)
  assert.equal(single.waitMs('a', 0), 6_000)
  const inSteps = new TokenBuckets(10, 1_000)
  inSteps.takeOrRefuse('a', 0, REFUSAL)
  for (let before = 0; before < 30; before += 6) inSteps.takeMoreOrRefuse('a', before, 6, 0, REFUSAL)
  assert.equal(inSteps.waitMs('a', 0), 22_000)
})

test('an interval that floating point cannot represent still gives a whole minute at once', () => {
  const buckets = new TokenBuckets(7_000, 60_000 / 7_000)
  for (let i = 0; i < 7_000; i++) buckets.takeOrRefuse('a', 1_000, REFUSAL)
  assert.throws(() => buckets.takeOrRefuse('a', 1_000, REFUSAL), { kind: 'rate_limited' })
})

test('a bounded number of names is remembered, and the one used longest ago is forgotten', () => {
  const buckets = new TokenBuckets(1, 60_000)
  for (let i = 0; i <= 50_000; i++) buckets.takeOrRefuse(String(i), 0, REFUSAL)
  assert.equal(buckets.waitMs('0', 0), 0)
  assert.equal(buckets.waitMs('1', 0), 60_000)
})

test('a bucket never gives more than its capacity and its refill', () => {
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
