import assert from 'node:assert/strict'
import { test } from 'node:test'
import { heapMbFor, HeapGuard, indexShareOf } from './heap-guard.ts'

const MB = 2 ** 20

test('the requested heap has room for the whole budget, and a given heap keeps room beside its indexes', () => {
  for (const mb of [16, 32, 2_048, 100_000]) assert.ok(indexShareOf(heapMbFor(mb * MB) * MB) >= mb * MB)
  for (const mb of [64, 200, 400, 4_000]) {
    const share = indexShareOf(mb * MB)
    assert.ok(share >= (mb * MB) / 8 && share <= (mb * MB) / 1.5, `${share / MB} of ${mb}`)
  }
  assert.equal(indexShareOf(400 * MB), 96 * MB)
})

test('a nearly full heap is reported once, and again only after it grew further or was collected', () => {
  let used = 800
  const guard = new HeapGuard(1_000, () => used)
  const reports = [880, 900, 910, 925, 931, 890, 899, 905].map((bytes) => {
    used = bytes
    return guard.isShort()
  })
  assert.deepEqual(reports, [false, true, false, false, true, false, false, true])
})
