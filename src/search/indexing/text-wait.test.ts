import assert from 'node:assert/strict'
import { test } from 'node:test'
import { areTooManyDue, isNamedMissing, textWaitMs } from './text-wait.ts'

const WAITS = { freshMs: 200, namedMs: 5_000 }
const named = (watermark: number, waitMs: number | null) => ({ watermark, waitMs, isPartial: false })

test('a search waits for a write that it names as long as it says, and a moment for the latest texts', () => {
  assert.equal(textWaitMs(named(8, 60_000), 7, WAITS), 60_000)
  assert.equal(textWaitMs(named(8, 0), 7, WAITS), 0)
  assert.equal(textWaitMs(named(8, null), 7, WAITS), 5_000)
  assert.equal(textWaitMs(named(7, 60_000), 7, WAITS), 200)
  for (const texts of [null, undefined, { watermark: null, waitMs: 60_000, isPartial: true }]) {
    assert.deepEqual([isNamedMissing(texts, 0), textWaitMs(texts, 0, WAITS)], [false, 200])
  }
})

test('a search does not wait where more texts are due than are read in its time', () => {
  assert.deepEqual(
    [50, 51].map((count) => areTooManyDue(count, 4, 200)),
    [false, true],
  )
  assert.equal(areTooManyDue(1, 2, 0), true)
  assert.equal(areTooManyDue(0, 2, 0), false)
})
