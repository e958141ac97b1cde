import assert from 'node:assert/strict'
import { test } from 'node:test'
import { HashQueue } from './hash-queue.ts'

/** Work that ends when it is told to, in a queue of these limits. */
function stage(limits = { running: 2, perParty: 3, waiting: 5 }) {
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

test('no more runs at once than may, and parties take turns', async () => {
  const { started, add, end } = stage()
  const all = ['a1', 'a2', 'a3', 'a4', 'a5'].map((name) => add('a', name))
  all.push(add('b', 'b1'), add('c', 'c1'))
  assert.deepEqual(started, ['a1', 'a2'])
  for (const name of ['a1', 'a2', 'a3', 'b1', 'c1', 'a4', 'a5']) await end(name)
  assert.deepEqual(started, ['a1', 'a2', 'a3', 'b1', 'c1', 'a4', 'a5'])
  assert.deepEqual(await Promise.all(all), ['a1', 'a2', 'a3', 'a4', 'a5', 'b1', 'c1'])
})

test('who has too much waiting is refused at once, and others are not', async () => {
  const { started, add, end } = stage()
  const all = ['a1', 'a2', 'a3', 'a4', 'a5'].map((name) => add('a', name))
  await assert.rejects(add('a', 'a6'), { kind: 'rate_limited', retryAfterSeconds: 2 })
  all.push(add('b', 'b1'), add('b', 'b2'))
  await assert.rejects(add('c', 'c1'), { kind: 'unavailable' })
  for (const name of ['a1', 'a2', 'a3', 'b1', 'a4', 'b2', 'a5']) await end(name)
  await Promise.all(all)
  const late = add('c', 'c2')
  assert.equal(started.at(-1), 'c2')
  await end('c2')
  await late
})

test('work that fails hands its place on', async () => {
  const { queue } = stage({ running: 1, perParty: 3, waiting: 5 })
  const failing = queue.run('a', () => Promise.reject(new Error('broken')))
  const next = queue.run('a', () => Promise.resolve('done'))
  await assert.rejects(failing, /broken/)
  assert.equal(await next, 'done')
})
