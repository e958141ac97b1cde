import assert from 'node:assert/strict'
import { test } from 'node:test'
import { Limiter, NoTurn } from './limiter.ts'

/** A call that runs until it is told to end. */
function held() {
  const { promise, resolve } = Promise.withResolvers<void>()
  return { call: () => promise, end: resolve }
}

test('never more calls run than allowed, and the waiting go in their order', async () => {
  const limiter = new Limiter(2)
  let running = 0
  let most = 0
  const order: number[] = []
  const call = (i: number) => async () => {
    order.push(i)
    most = Math.max(most, ++running)
    await new Promise(setImmediate)
    running--
  }
  await Promise.all(Array.from({ length: 10 }, (_, i) => limiter.run(call(i), null, undefined)))
  assert.equal(most, 2)
  assert.deepEqual(order, [0, 1, 2, 3, 4, 5, 6, 7, 8, 9])
})

test('a failed call gives its place on', async () => {
  const limiter = new Limiter(1)
  const failed = limiter.run(() => Promise.reject(new Error('no')), null, undefined)
  const next = limiter.run(async () => 'done', null, undefined)
  await assert.rejects(failed, { message: 'no' })
  assert.equal(await next, 'done')
})

test('who gives up waiting, by signal or time, is never called and takes no place', async () => {
  const limiter = new Limiter(1)
  const first = held()
  const running = limiter.run(first.call, null, undefined)
  const controller = new AbortController()
  const never = () => assert.fail('called')
  const aborted = limiter.run(never, null, controller.signal)
  const late = limiter.run(never, 1, undefined)
  controller.abort(new Error('gone'))
  await assert.rejects(aborted, { message: 'gone' })
  await assert.rejects(late, NoTurn)
  await assert.rejects(limiter.run(never, null, controller.signal), { message: 'gone' })
  first.end()
  await running
  assert.equal(await limiter.run(async () => 'done', null, undefined), 'done')
})
