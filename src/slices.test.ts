import { deepEqual, equal, ok } from 'node:assert/strict'
import { describe, it } from 'node:test'
import { Slices, whileHolding } from './slices.ts'

/** Slices on a clock that only work moves on, and work that notes whose slice begins. */
function stage() {
  let nowMs = 0
  const slices = new Slices(() => nowMs)
  const begun: string[] = []
  return {
    slices,
    begun,
    async work(owner: string, steps: number): Promise<void> {
      for (let step = 0; step < steps; step++) {
        const next = slices.pause(owner)
        if (next !== undefined) {
          await next
          begun.push(owner)
        }
        nowMs++
      }
    },
  }
}

describe('slices', () => {
  it('let the event loop turn between any two of them', async () => {
    const { begun, work } = stage()
    let turns = 0
    let isOver = false
    const turn = (): void => {
      turns++
      if (!isOver) setImmediate(turn)
    }
    setImmediate(turn)
    await Promise.all(Array.from({ length: 5 }, (_, i) => work(`tenant ${i}`, 40)))
    isOver = true
    equal(begun.length, 50, 'slices of 4 ms for 200 ms of work')
    ok(turns >= begun.length - 1, `the event loop turned ${turns} times for ${begun.length} slices`)
  })

  it('go round between owners, however much one of them has waiting', async () => {
    const { begun, work } = stage()
    const many = Array.from({ length: 20 }, () => work('much', 40))
    await work('little', 40)
    const others = begun.slice(0, begun.lastIndexOf('little')).filter((owner) => owner !== 'little').length
    ok(others <= 11, `${others} slices went to the other owner before the tenth of the one with little to do`)
    await Promise.all(many)
  })

  it('let work that holds a lock go on, however much else its owner has waiting', async () => {
    const { begun, work } = stage()
    const many = Array.from({ length: 200 }, () => work('much', 40))
    const other = work('other', 40)
    let before = Number.POSITIVE_INFINITY
    await whileHolding(async () => {
      await work('much', 40)
      before = begun.length
    })
    ok(before <= 16, `${before} slices were given before the tenth of the one that held the lock`)
    await Promise.all([...many, other])
    equal(begun.length, 202 * 10, 'nobody was forgotten')
  })

  it('cost nothing while a slice lasts', async () => {
    const { slices } = stage()
    await slices.pause('tenant')
    deepEqual([slices.pause('tenant'), slices.pause('another')], [undefined, undefined])
  })
})
