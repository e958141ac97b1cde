import assert from 'node:assert/strict'
import { setImmediate as turn } from 'node:timers/promises'
import { test } from 'node:test'
import { WakeUp } from './wake-up.ts'

/** Longer than any test runs, so only a call ends the sleep. */
const FOR_EVER_MS = 2 ** 31 - 1

/** Sleeps until a call. @returns a function that tells whether the sleep is over */
function asleep(wakeUp: WakeUp): () => boolean {
  let isOver = false
  void wakeUp.sleep(FOR_EVER_MS).then(() => (isOver = true))
  return () => isOver
}

test('a call ends the sleep', async () => {
  const wakeUp = new WakeUp()
  const isOver = asleep(wakeUp)
  await turn()
  assert.equal(isOver(), false)
  wakeUp.call()
  await turn()
  assert.equal(isOver(), true)
})

test('a call that comes while no sleep runs is remembered for the next sleep, and for that one only', async () => {
  const wakeUp = new WakeUp()
  wakeUp.call()
  wakeUp.call()
  const next = asleep(wakeUp)
  await turn()
  assert.equal(next(), true)
  const afterwards = asleep(wakeUp)
  await turn()
  assert.equal(afterwards(), false)
  wakeUp.call()
  await turn()
  assert.equal(afterwards(), true)
})

test('a sleep without a call lasts its full time, and says that there was no call', async () => {
  const wakeUp = new WakeUp()
  assert.equal(await wakeUp.sleep(1), false)
  wakeUp.call()
  assert.equal(await wakeUp.sleep(FOR_EVER_MS), true)
})
