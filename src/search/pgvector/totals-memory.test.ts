import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Filter } from '../engine.ts'
import { splitBounds } from './moving-bounds.ts'
import { TotalsMemory } from './totals-memory.ts'
import type { Totals } from './words-store.ts'

const NOTHING = { documents: { de: 0, en: 0, other: 0 }, lengthSum: 0, isEstimated: false }

/** A memory for the totals of documents that end at some times, and the number of counts that it made. */
class Counting {
  readonly memory = new TotalsMemory()
  readonly ends: number[]
  counts = 0

  constructor(ends: number[]) {
    this.ends = ends
  }

  at(now: number, reached = 1, level = 'public'): Promise<Totals> {
    const { shape, bounds } = splitBounds(seenAt(now, level))
    return this.memory.get(shape, bounds, reached, async () => {
      this.counts++
      const passed = this.ends.filter((end) => end <= now)
      const ahead = this.ends.filter((end) => end > now)
      const from = passed.length === 0 ? null : Math.max(...passed)
      const to = ahead.length === 0 ? null : Math.min(...ahead)
      return { ...NOTHING, lengthSum: ahead.length, boundRanges: [{ from, to }] }
    })
  }
}

function seenAt(now: number, level: string): Filter {
  const notEnded: Filter = { number: 'expires', above: now, below: null, orMissing: true }
  return { all: [{ field: 'level', anyOf: [level] }, { all: [notEnded] }] }
}

test('suggestions at each key are counted for once, until a document ends', async () => {
  const counting = new Counting([200, 300])
  for (let now = 100; now < 200; now++) assert.equal((await counting.at(now)).lengthSum, 2)
  assert.equal(counting.counts, 1)
  for (let now = 200; now < 300; now++) assert.equal((await counting.at(now)).lengthSum, 1)
  assert.equal(counting.counts, 2)
  for (let now = 300; now < 400; now++) assert.equal((await counting.at(now)).lengthSum, 0)
  assert.equal(counting.counts, 3)
})

test('a process whose clock is a little behind does not take away what another moment needs', async () => {
  const counting = new Counting([200])
  for (let round = 0; round < 10; round++) {
    assert.equal((await counting.at(200)).lengthSum, 0)
    assert.equal((await counting.at(199)).lengthSum, 1)
  }
  assert.equal(counting.counts, 2)
})

test('a change, and another view, are counted anew', async () => {
  const counting = new Counting([])
  await counting.at(100)
  await counting.at(100, 2)
  assert.equal(counting.counts, 2)
  await counting.at(100, 2, 'secret')
  assert.equal(counting.counts, 3)
})
