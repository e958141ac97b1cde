import { deepEqual, equal, ok } from 'node:assert/strict'
import { setImmediate as turn } from 'node:timers/promises'
import { describe, it } from 'node:test'
import { RequestTurns } from './request-turns.ts'

/** Turns on a clock that only requests move on, and a count of those that began in each turn of the event loop. */
function stage() {
  let nowMs = 0
  const turns = new RequestTurns(() => nowMs)
  const begun: string[] = []
  return {
    begun,
    request(owner: string, takesMs: number): void {
      turns.begin(owner, () => {
        begun.push(owner)
        nowMs += takesMs
      })
    },
  }
}

describe('turns of requests', () => {
  it('begin what arrives together a few milliseconds at a time', async () => {
    const { begun, request } = stage()
    for (let i = 0; i < 250; i++) request('much', 1)
    equal(begun.length, 4)
    for (let before = begun.length; begun.length < 250; before = begun.length) {
      await turn()
      ok(begun.length - before <= 1, `${begun.length - before} began in one turn`)
    }
  })

  it('let one who comes after hundreds of another begin after one of them', async () => {
    const { begun, request } = stage()
    for (let i = 0; i < 250; i++) request('much', 5)
    request('little', 1)
    while (!begun.includes('little')) await turn()
    deepEqual(begun, ['much', 'much', 'little'])
  })

  it('cost nothing while there is little to do', async () => {
    const { begun, request } = stage()
    for (let i = 0; i < 10; i++) {
      request('tenant', 5)
      equal(begun.length, i + 1)
      await turn()
    }
  })
})
