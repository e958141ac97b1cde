import assert from 'node:assert/strict'
import { setImmediate as turn } from 'node:timers/promises'
import { test } from 'node:test'
import fc from 'fast-check'
import { Turns } from './turns.ts'

/** Requests that take a millisecond each, on a clock that only they advance. */
function stage() {
  let nowMs = 0
  const turns = new Turns(() => nowMs)
  const begun: string[] = []
  const enter = (owner: string, ms = 1) => {
    turns.enter(owner, () => {
      begun.push(owner)
      // Like a handler, part of the work follows a promise.
      void Promise.resolve().then(() => (nowMs += ms))
    })
  }
  return { begun, enter }
}

async function untilBegun(begun: readonly string[], count: number): Promise<number> {
  let turns = 0
  for (; begun.length < count; turns++) await turn()
  return turns
}

test('a request starts at once while the turn of the event loop has time', () => {
  const { begun, enter } = stage()
  enter('a')
  enter('b')
  assert.deepEqual(begun, ['a', 'b'])
})

test('an owner with many requests takes turns with the others, who wait for only one of them', async () => {
  const { begun, enter } = stage()
  // This uses up the turn's time.
  enter('much', 10)
  await Promise.resolve()
  for (let i = 0; i < 20; i++) enter('much')
  enter('little')
  enter('other')
  await untilBegun(begun, 23)
  assert.deepEqual(begun.slice(1, 5), ['much', 'little', 'other', 'much'])
})

test('the event loop turns after every few milliseconds of requests', async () => {
  const { begun, enter } = stage()
  enter('a', 10)
  await Promise.resolve()
  for (let i = 0; i < 40; i++) enter('a')
  const turns = await untilBegun(begun, 41)
  assert.ok(turns >= 9, `40 requests of a millisecond were begun in ${turns} turns`)
})

test('each request starts once, those of one owner in order', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(fc.record({ owner: fc.constantFrom('a', 'b', 'c'), ms: fc.nat(6), later: fc.boolean() }), {
        maxLength: 40,
      }),
      async (requests) => {
        let nowMs = 0
        const turns = new Turns(() => nowMs)
        const begun: { owner: string; i: number }[] = []
        for (const [i, { owner, ms, later }] of requests.entries()) {
          if (later) await turn()
          turns.enter(owner, () => {
            begun.push({ owner, i })
            nowMs += ms
          })
        }
        for (let i = 0; i < 2 * requests.length + 2; i++) await turn()
        assert.equal(begun.length, requests.length)
        for (const name of ['a', 'b', 'c']) {
          const order = begun.filter(({ owner }) => owner === name).map(({ i }) => i)
          assert.deepEqual(
            order,
            order.toSorted((x, y) => x - y),
          )
        }
      },
    ),
    { numRuns: 200 },
  )
})
