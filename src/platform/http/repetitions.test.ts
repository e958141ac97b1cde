import { deepEqual, equal } from 'node:assert/strict'
import { test } from 'node:test'
import { Repetitions } from './repetitions.ts'

const MINUTE_MS = 60_000

test('what repeats is told once a minute, with how often it came in between', () => {
  const repetitions = new Repetitions()
  const told = [0, 1_000, 59_999, MINUTE_MS, MINUTE_MS + 1, 3 * MINUTE_MS].map((ms) => repetitions.note('a', ms))
  deepEqual(told, [0, null, null, 2, null, 1])
  equal(repetitions.note('b', 1_000), 0)
})

test('no more than a thousand things are remembered, the latest ones', () => {
  const repetitions = new Repetitions()
  for (let i = 0; i <= 1_000; i++) repetitions.note(`thing ${i}`, 0)
  equal(repetitions.note('thing 0', 1), 0)
  equal(repetitions.note('thing 1000', 1), null)
})
