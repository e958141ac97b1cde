import assert from 'node:assert/strict'
import { test } from 'node:test'
import { RestartPauses } from './restart-pauses.ts'

test('a thread that ends again and again is started at once, then after ever longer pauses, a minute at most', () => {
  const pauses = new RestartPauses()
  const waits = Array.from({ length: 9 }, () => pauses.afterEnd(5))
  assert.deepEqual(waits, [0, 1_000, 2_000, 4_000, 8_000, 16_000, 32_000, 60_000, 60_000])
})

test('a thread that has lived for a minute, or was of use, is started at once again', () => {
  const pauses = new RestartPauses()
  pauses.afterEnd(5)
  assert.equal(pauses.afterEnd(60_000), 0)
  assert.equal(pauses.afterEnd(5), 1_000)
  pauses.noteUse()
  assert.equal(pauses.afterEnd(5), 0)
})
