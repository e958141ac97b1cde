import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { HashQueue } from './hash-queue.ts'

/** Makes a queue with these limits, and work that ends when the test says so. */
function stage(limits = { running: 2, perAddress: 3, waiting: 5 }) {
  const queue = new HashQueue(limits)
  const started: string[] = []
  const ends = new Map<string, () => void>()
  const add = (party: string, name: string) =>
    queue.run(party, () => {
      started.push(name)
      return new Promise<string>((resolve) => ends.set(name, () => resolve(name)))
    })
  const end = async (name: string) => {
    ends.get(name)!()
    await new Promise((resolve) => setImmediate(resolve))
  }
  return { queue, started, add, end }
}

test('at most the allowed number runs at once, and addresses take turns', async () => {
  const { started, add, end } = stage()
  const all = ['a1', 'a2', 'a3', 'a4', 'a5'].map((name) => add('a', name))
  all.push(add('b', 'b1'), add('c', 'c1'))
  assert.deepEqual(started, ['a1', 'a2'])
  for (const name of ['a1', 'a2', 'a3', 'b1', 'c1', 'a4', 'a5']) await end(name)
  assert.deepEqual(started, ['a1', 'a2', 'a3', 'b1', 'c1', 'a4', 'a5'])
  assert.deepEqual(await Promise.all(all), ['a1', 'a2', 'a3', 'a4', 'a5', 'b1', 'c1'])
})

test('an address with too many waiting is refused at once, and others are not', async () => {
  const { started, add, end } = stage()
  const all = ['a1', 'a2', 'a3', 'a4', 'a5'].map((name) => add('a', name))
  await assert.rejects(add('a', 'a6'), { kind: 'rate_limited', retryAfterSeconds: 2 })
  all.push(add('b', 'b1'), add('b', 'b2'))
  await assert.rejects(add('b', 'b3'), { kind: 'unavailable' })
  for (const name of ['a1', 'a2', 'a3', 'b1', 'a4', 'b2', 'a5']) await end(name)
  await Promise.all(all)
  const late = add('c', 'c2')
  assert.equal(started.at(-1), 'c2')
  await end('c2')
  await late
})

test('work that fails frees its place for the next', async () => {
  const { queue } = stage({ running: 1, perAddress: 3, waiting: 5 })
  const failing = queue.run('a', () => Promise.reject(new Error('broken')))
  const next = queue.run('a', () => Promise.resolve('done'))
  await assert.rejects(failing, /broken/)
  assert.equal(await next, 'done')
})

test('in a full queue, the longest line gives up a place to a shorter one', async () => {
  const { started, add, end } = stage({ running: 1, perAddress: 4, waiting: 5 })
  const served = [add('192.0.2.1', 'running'), add('192.0.2.1', 'a1'), add('192.0.2.2', 'b1')]
  const dropped = [add('192.0.2.2', 'b2'), add('192.0.2.2', 'b3'), add('192.0.2.1', 'a2')]
  const refusals = dropped.map((one) => assert.rejects(one, { kind: 'unavailable', retryAfterSeconds: 2 }))
  // A new network and new addresses have fewer waiting than the first two addresses.
  served.push(add('198.51.100.1', 'elsewhere'), add('192.0.2.3', 'c1'), add('192.0.2.4', 'd1'))
  await assert.rejects(add('192.0.2.5', 'e1'), { kind: 'unavailable' })
  await Promise.all(refusals)
  for (const name of ['running', 'a1', 'elsewhere', 'b1', 'c1', 'd1']) await end(name)
  assert.deepEqual(started, ['running', 'a1', 'elsewhere', 'b1', 'c1', 'd1'])
  await Promise.all(served)
})

test('whatever other networks send, a network with nothing waiting is served after at most one turn of each', async () => {
  const limits = { running: 1, perAddress: 2, waiting: 8 }
  // Networks are one fewer than the places to wait, each with many addresses; null ends one hash.
  const flood = fc.record({ network: fc.nat(limits.waiting - 2), host: fc.nat(30) })
  const step = fc.option(flood, { freq: 4 })
  const steps = fc.array(step, { minLength: 20, maxLength: 120 })
  await fc.assert(
    fc.asyncProperty(steps, steps, async (before, afterwards) => {
      const { started, add, end } = stage(limits)
      let added = 0
      let ended = 0
      const endOne = async () => {
        if (ended < started.length) await end(started[ended++])
      }
      const follow = async (one: (typeof before)[number]) => {
        if (one === null) await endOne()
        else add(`192.0.${one.network}.${one.host}`, `flood-${added++}`).catch(() => undefined)
      }
      for (const one of before) await follow(one)
      const endedBefore = ended
      const own = add('198.51.100.1', 'own')
      own.catch(() => undefined)
      for (const one of afterwards) await follow(one)
      while (!started.includes('own') && ended < started.length) await endOne()
      const waitedFor = started.indexOf('own') - endedBefore
      assert.ok(waitedFor >= 0 && waitedFor <= limits.waiting + limits.running, `waited for ${waitedFor}`)
      while (ended < started.length) await endOne()
      assert.equal(await own, 'own')
    }),
  )
})
