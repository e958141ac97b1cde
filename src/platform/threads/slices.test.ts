import { deepEqual, equal, ok } from 'node:assert/strict'
import { describe, it } from 'node:test'
import { type Pause, Slices } from './slices.ts'

/** Slices on a clock that only work advances, and a record of whose slice begins. */
function stage() {
  let nowMs = 0
  const slices = new Slices(() => nowMs)
  const starts: string[] = []
  return {
    slices,
    starts,
    /** Lets time pass in which the thread waits. */
    async idle(ms: number): Promise<void> {
      await new Promise((resolve) => setImmediate(resolve))
      nowMs += ms
    },
    async work(owner: string, steps: number, pause: Pause = () => slices.pause(owner)): Promise<void> {
      for (let step = 0; step < steps; step++) {
        const next = pause()
        if (next !== undefined) {
          await next
          starts.push(owner)
        }
        nowMs++
      }
    },
  }
}

describe('slices', () => {
  it('let the event loop turn between any two slices', async () => {
    const { starts, work } = stage()
    let turns = 0
    let isOver = false
    const turn = (): void => {
      turns++
      if (!isOver) setImmediate(turn)
    }
    setImmediate(turn)
    await Promise.all(Array.from({ length: 5 }, (_, i) => work(`tenant ${i}`, 40)))
    isOver = true
    equal(starts.length, 99, 'slices of 2 ms for 200 ms of work, the first of which was not waited for')
    ok(turns >= starts.length - 1, `the event loop turned ${turns} times for ${starts.length} slices`)
  })

  it('alternate between owners, however much work one of them has', async () => {
    const { starts, work } = stage()
    const many = Array.from({ length: 20 }, () => work('much', 40))
    await work('little', 40)
    const others = starts.slice(0, starts.lastIndexOf('little')).filter((owner) => owner !== 'little').length
    ok(others <= 21, `${others} slices went to the other owner before the twentieth of the one with little to do`)
    await Promise.all(many)
  })

  it('count the work of each owner, and no time in which nothing runs', async () => {
    const { slices, work, idle } = stage()
    const counted = new Map<string, number>()
    slices.onWork = (owner, ms) => counted.set(owner, (counted.get(owner) ?? 0) + ms)
    await Promise.all([work('much', 40), work('little', 8)])
    await idle(1_000)
    await work('much', 2)
    const [much, little] = ['much', 'little'].map((owner) => counted.get(owner) ?? 0)
    ok(much >= 30 && much <= 42, `${much} ms for 42 steps of a millisecond`)
    ok(little >= 5 && little <= 8, `${little} ms for eight steps`)
  })

  it('give a transaction every second turn, and others the rest', async () => {
    const { slices, starts, work } = stage()
    const many = Array.from({ length: 30 }, (_, i) => work(`tenant ${i % 10}`, 40))
    await work('transaction', 40, slices.pauseHolding)
    const before = starts.slice(0, starts.lastIndexOf('transaction'))
    const others = before.filter((owner) => owner !== 'transaction').length
    ok(others <= 21, `${others} slices went to others before the twentieth of the transaction`)
    ok(others >= 19, `only ${others} slices went to others`)
    await Promise.all(many)
  })

  it('never make short work wait for itself', () => {
    const { slices } = stage()
    equal(slices.pause('tenant'), undefined)
  })

  it('cost nothing while a slice lasts', async () => {
    const { slices } = stage()
    await slices.pause('tenant')
    deepEqual([slices.pause('tenant'), slices.pause('another')], [undefined, undefined])
  })
})
