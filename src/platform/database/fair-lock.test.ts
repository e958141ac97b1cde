import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { FairLock } from './fair-lock.ts'

/** Lets these wait while the lock is held, and tells in which order they got it. */
async function orderOf(owners: readonly string[]): Promise<string[]> {
  const lock = new FairLock(() => 0)
  const order: string[] = []
  let holders = 0
  const first = await lock.acquire('first')
  const all = owners.map(async (owner, i) => {
    const release = await lock.acquire(owner)
    assert.equal(++holders, 1)
    order.push(`${owner}${i}`)
    await Promise.resolve()
    holders--
    release()
  })
  first()
  await Promise.all(all)
  return order
}

test('one who comes after many of another owner waits for one of them', async () => {
  assert.deepEqual(await orderOf(['a', 'a', 'a', 'b', 'c', 'b']), ['a0', 'b3', 'c4', 'a1', 'b5', 'a2'])
})

test('everybody gets the lock once, alone, and those of one owner in their order', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(fc.constantFrom('a', 'b', 'c'), { maxLength: 30 }), async (owners) => {
      const order = await orderOf(owners)
      assert.equal(order.length, owners.length)
      for (const owner of ['a', 'b', 'c']) {
        const places = order.filter((name) => name.startsWith(owner)).map((name) => Number(name.slice(1)))
        assert.deepEqual(
          places,
          owners.flatMap((name, i) => (name === owner ? [i] : [])),
        )
      }
    }),
  )
})

test('a lock that nobody waits for is free again', async () => {
  const lock = new FairLock()
  for (let i = 0; i < 3; i++) (await lock.acquire('a'))()
})

test('one whose holders take long gets no more time than another whose are short', async () => {
  let nowMs = 0
  const lock = new FairLock(() => nowMs)
  const had: Record<string, number> = { long: 0, short: 0 }
  const hold = async (owner: string, ms: number) => {
    const release = await lock.acquire(owner)
    nowMs += ms
    had[owner] += ms
    await Promise.resolve()
    release()
  }
  const all = [
    ...Array.from({ length: 20 }, () => hold('long', 300)),
    ...Array.from({ length: 200 }, () => hold('short', 3)),
  ]
  // The first long one came first; from then on a hundred short ones weigh as much as one of the others.
  let long = 0
  for (const each of all.slice(20)) {
    await each
    long = had.long
  }
  assert.ok(long <= 3 * 300, `${long} ms went to the one with long holders before the other had its 600`)
  await Promise.all(all)
  assert.deepEqual(had, { long: 6_000, short: 600 })
})

test('time in which an owner wanted nothing is not saved up', async () => {
  let nowMs = 0
  const lock = new FairLock(() => nowMs)
  const order: string[] = []
  const hold = async (owner: string, ms: number) => {
    const release = await lock.acquire(owner)
    order.push(owner)
    nowMs += ms
    await Promise.resolve()
    release()
  }
  for (let i = 0; i < 50; i++) await hold('busy', 10)
  await Promise.all([
    ...Array.from({ length: 6 }, () => hold('busy', 10)),
    ...Array.from({ length: 6 }, () => hold('late', 10)),
  ])
  assert.deepEqual(order.slice(50, 58).filter((owner) => owner === 'busy').length, 4)
})
