import assert from 'node:assert/strict'
import { test } from 'node:test'
import { parseRetryAfter, retry, SYSTEM_TIMING } from './retry.ts'

const fault = new Error('no')

function harness(random = 0.5) {
  const clock = { ms: 0 }
  const waits: number[] = []
  const timing = {
    now: () => clock.ms,
    random: () => random,
    sleep: async (ms: number) => {
      waits.push(ms)
      clock.ms += ms
    },
  }
  let calls = 0
  const failing = (times: number) => async () => {
    if (++calls <= times) throw fault
    return 'done'
  }
  return { timing, waits, failing, calls: () => calls }
}

const policy = { attemptsMax: 4, waitMs: 100, waitMaxMs: 300, deadline: 10_000 }

test('each wait is a random part of a bound that doubles up to its maximum', async () => {
  const { timing, waits, failing } = harness()
  assert.equal(await retry(failing(3), policy, () => 0, timing, undefined), 'done')
  assert.deepEqual(waits, [50, 100, 150])
})

test('the last attempt’s error is thrown', async () => {
  const { timing, failing, calls } = harness()
  await assert.rejects(
    retry(failing(9), policy, () => 0, timing, undefined),
    fault,
  )
  assert.equal(calls(), 4)
})

test('an error that waiting cannot fix is not tried again', async () => {
  const { timing, failing, calls } = harness()
  await assert.rejects(
    retry(failing(9), policy, () => null, timing, undefined),
    fault,
  )
  assert.equal(calls(), 1)
})

test('waits as long as the provider asks, unless that exceeds the deadline', async () => {
  const { timing, waits, failing, calls } = harness()
  assert.equal(await retry(failing(1), policy, () => 2_000, timing, undefined), 'done')
  assert.deepEqual(waits, [2_000])
  await assert.rejects(
    retry(failing(9), policy, () => 8_000, timing, undefined),
    fault,
  )
  assert.deepEqual(waits, [2_000])
  assert.equal(calls(), 3)
})

test('a signal ends the wait with its reason', async () => {
  const controller = new AbortController()
  const waiting = SYSTEM_TIMING.sleep(60_000, controller.signal)
  controller.abort(fault)
  await assert.rejects(waiting, fault)
})

test('Retry-After is seconds or an HTTP date, anything else is ignored', () => {
  const now = Date.UTC(2025, 0, 1)
  assert.equal(parseRetryAfter('7', now), 7_000)
  assert.equal(parseRetryAfter('0', now), 0)
  assert.equal(parseRetryAfter('Wed, 01 Jan 2025 00:00:05 GMT', now), 5_000)
  assert.equal(parseRetryAfter('Tue, 31 Dec 2024 00:00:00 GMT', now), 0)
  for (const header of [undefined, '', '-1', '1.5', 'soon', '2025-01-02', '99999999999', 'Wed, never']) {
    assert.equal(parseRetryAfter(header, now), null)
  }
})
