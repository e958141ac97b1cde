import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { FairLock } from './fair-lock.ts'

/** Lets these wait while the lock is held, and tells in which order they got it. */
async function orderOf(parties: readonly string[]): Promise<string[]> {
  const lock = new FairLock()
  const order: string[] = []
  let holders = 0
  const first = await lock.acquire('first')
  const all = parties.map(async (party, i) => {
    const release = await lock.acquire(party)
    assert.equal(++holders, 1)
    order.push(`${party}${i}`)
    await Promise.resolve()
    holders--
    release()
  })
  first()
  await Promise.all(all)
  return order
}

test('one who comes after many of another party waits for one of them', async () => {
  assert.deepEqual(await orderOf(['a', 'a', 'a', 'b', 'c', 'b']), ['a0', 'b3', 'c4', 'a1', 'b5', 'a2'])
})

test('everybody gets the lock once, alone, and in the order of their own party', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(fc.constantFrom('a', 'b', 'c'), { maxLength: 30 }), async (parties) => {
      const order = await orderOf(parties)
      assert.equal(order.length, parties.length)
      for (const party of ['a', 'b', 'c']) {
        const places = order.filter((name) => name.startsWith(party)).map((name) => Number(name.slice(1)))
        assert.deepEqual(
          places,
          parties.flatMap((name, i) => (name === party ? [i] : [])),
        )
      }
    }),
  )
})

test('a lock that nobody waits for is free again', async () => {
  const lock = new FairLock()
  for (let i = 0; i < 3; i++) (await lock.acquire('a'))()
})
