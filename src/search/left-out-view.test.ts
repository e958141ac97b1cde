import assert from 'node:assert/strict'
import { test } from 'node:test'
import { setImmediate } from 'node:timers/promises'
import type { EngineStatus } from './engine.ts'
import { LeftOutView } from './left-out-view.ts'

function stage() {
  const clock = { ms: 0 }
  const asked: string[] = []
  const engine = { ids: ['one'], waitsFor: Promise.resolve(), isAway: false }
  const status = async (tenantId?: string): Promise<EngineStatus> => {
    asked.push(tenantId ?? '')
    const leftOutDocuments = engine.ids.map((id) => ({ index: 'entries', id, owner: null }))
    await engine.waitsFor
    if (engine.isAway) throw new Error('away')
    return { leftOutDocuments } as unknown as EngineStatus
  }
  return { clock, asked, engine, view: new LeftOutView({ status }, () => clock.ms) }
}

const NEVER = new Promise<never>(() => undefined)

test('a document that is left out is known by its index, and the engine is not asked for each', async () => {
  const { view, asked, engine } = stage()
  assert.equal(await view.has('t', 'entries', 'one'), true)
  assert.equal(await view.has('t', 'products', 'one'), false)
  engine.ids = ['one', 'two']
  assert.equal(await view.has('t', 'entries', 'two'), false)
  assert.equal(await view.has('u', 'entries', 'two'), true)
  assert.deepEqual(asked, ['t', 'u'])
})

test('a caller gets the last list at once while a new one is read', async () => {
  const { view, asked, engine, clock } = stage()
  assert.equal(await view.has('t', 'entries', 'one'), true)
  const { promise, resolve } = Promise.withResolvers<void>()
  engine.ids = ['two']
  engine.waitsFor = promise
  clock.ms = 5_000
  const both = async (): Promise<boolean[]> => [
    await view.has('t', 'entries', 'one'),
    await view.has('t', 'entries', 'two'),
  ]
  assert.deepEqual(await both(), [true, false])
  assert.deepEqual(asked, ['t', 't'])
  resolve()
  await setImmediate()
  assert.deepEqual(await both(), [false, true])
  assert.deepEqual(asked, ['t', 't'])
})

test('a list of more than a minute ago is no answer: the caller waits for the new one', async () => {
  const { view, engine, clock } = stage()
  assert.equal(await view.has('t', 'entries', 'one'), true)
  engine.ids = []
  clock.ms = 60_000
  assert.equal(await view.has('t', 'entries', 'one'), false)
})

test('a list outlasts an engine that fails or does not answer, for a minute', async () => {
  const { view, engine, clock } = stage()
  assert.equal(await view.has('t', 'entries', 'one'), true)
  engine.isAway = true
  clock.ms = 5_000
  assert.equal(await view.has('t', 'entries', 'one'), true)
  engine.waitsFor = NEVER
  clock.ms = 59_999
  assert.equal(await view.has('t', 'entries', 'one'), true)
})

test('an engine that takes longer than lists stay fresh is heard all the same', async () => {
  const { view, engine, clock } = stage()
  const { promise, resolve } = Promise.withResolvers<void>()
  engine.waitsFor = promise
  const alive = setInterval(() => undefined, 1_000)
  assert.equal(await view.has('t', 'entries', 'one'), false)
  engine.waitsFor = NEVER
  clock.ms = 5_000
  const later = view.has('t', 'entries', 'one')
  resolve()
  await setImmediate()
  assert.equal(await view.has('t', 'entries', 'one'), true)
  await later
  clearInterval(alive)
})

test('an engine that fails or does not answer says nothing of a document', async () => {
  const failing = new LeftOutView({ status: () => Promise.reject(new Error('away')) })
  assert.equal(await failing.has('t', 'entries', 'one'), false)
  const silent = new LeftOutView({ status: () => NEVER })
  const alive = setInterval(() => undefined, 1_000)
  assert.equal(await silent.has('t', 'entries', 'one'), false)
  clearInterval(alive)
})
