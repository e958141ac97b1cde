import assert from 'node:assert/strict'
import { test } from 'node:test'
import { atMostEvery } from './at-most-every.ts'

test('a value is read once in its time, however often it is asked for, and a failure is not kept', async () => {
  let nowMs = 0
  let reads = 0
  let fails = false
  const read = atMostEvery(
    1_000,
    async () => {
      reads++
      if (fails) throw new Error('away')
      return reads
    },
    () => nowMs,
  )
  assert.deepEqual(await Promise.all([read(), read()]), [1, 1])
  nowMs = 999
  assert.equal(await read(), 1)
  nowMs = 1_000
  fails = true
  await assert.rejects(read(), /away/)
  fails = false
  assert.equal(await read(), 3)
})
