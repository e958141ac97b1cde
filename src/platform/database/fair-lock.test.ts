import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { FairLock } from './fair-lock.ts'

/** Lets owners wait for a lock that is in use. Returns the order in which they got it. */
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

test('a newcomer waits for only one of another owner’s many waiters', async () => {
  assert.deepEqual(await orderOf(['a', 'a', 'a', 'b', 'c', 'b']), ['a0', 'b3', 'c4', 'a1', 'b5', 'a2'])
})

test('each waiter gets the lock once and alone, those of one owner in order', async () => {
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

test('a released lock without a waiter is free', async () => {
  const lock = new FairLock()
  for (let i = 0; i < 3; i++) (await lock.acquire('a'))()
})

test('an owner with long holds gets no more time than an owner with short ones', async () => {
  let nowMs = 0
  const lock = new FairLock(() => nowMs)
  const times: Record<string, number> = { long: 0, short: 0 }
  const hold = async (owner: string, ms: number) => {
    const release = await lock.acquire(owner)
    nowMs += ms
    times[owner] += ms
    await Promise.resolve()
    release()
  }
  const all = [
    ...Array.from({ length: 20 }, () => hold('long', 300)),
    ...Array.from({ length: 200 }, () => hold('short', 3)),
  ]
  // The first long hold came first; from then on, a hundred short holds weigh as much as one long one.
  let long = 0
  for (const each of all.slice(20)) {
    await each
    long = times.long
  }
  assert.ok(long <= 3 * 300, `${long} ms went to the owner with long holds before the other had its 600`)
  await Promise.all(all)
  assert.deepEqual(times, { long: 6_000, short: 600 })
})

test('an idle owner saves up no time', async () => {
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

test('time that served others counts to them in equal parts, and not to the holder', async () => {
  let now = 0
  const lock = new FairLock(() => now)
  const order: string[] = []
  const first = await lock.acquire('a')
  const rest = ['a', 'b', 'c'].map(async (owner) => {
    const release = await lock.acquire(owner)
    order.push(owner)
    release()
  })
  now = 10
  // All ten milliseconds served b and c, so a has had the lock least, though it held it.
  lock.charge(['b', 'b', 'c'], 10)
  first()
  await Promise.all(rest)
  assert.deepEqual(order, ['a', 'c', 'b'])
})
