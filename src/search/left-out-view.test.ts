import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { EngineStatus } from './engine.ts'
import { LeftOutView } from './left-out-view.ts'

function stage() {
  const clock = { ms: 0 }
  const asked: string[] = []
  const ids: string[] = ['one']
  const status = (tenantId?: string): Promise<EngineStatus> => {
    asked.push(tenantId ?? '')
    const leftOutDocuments = ids.map((id) => ({ index: 'entries', id, owner: null }))
    return Promise.resolve({ leftOutDocuments } as unknown as EngineStatus)
  }
  return { clock, asked, ids, view: new LeftOutView({ status }, () => clock.ms) }
}

test('a document that is left out is known by its index, and the engine is not asked for each', async () => {
  const { view, asked, ids, clock } = stage()
  assert.equal(await view.has('t', 'entries', 'one'), true)
  assert.equal(await view.has('t', 'products', 'one'), false)
  ids.push('two')
  assert.equal(await view.has('t', 'entries', 'two'), false)
  clock.ms = 5_000
  assert.equal(await view.has('t', 'entries', 'two'), true)
  assert.equal(await view.has('u', 'entries', 'one'), true)
  assert.deepEqual(asked, ['t', 't', 'u'])
})

test('an engine that fails or does not answer says nothing of a document', async () => {
  const failing = new LeftOutView({ status: () => Promise.reject(new Error('away')) })
  assert.equal(await failing.has('t', 'entries', 'one'), false)
  const silent = new LeftOutView({ status: () => new Promise(() => undefined) })
  const alive = setInterval(() => undefined, 1_000)
  assert.equal(await silent.has('t', 'entries', 'one'), false)
  clearInterval(alive)
})
