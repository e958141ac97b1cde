import assert from 'node:assert/strict'
import { test } from 'node:test'
import { readModules } from './read-modules.ts'
import { reservedFaultsOf } from './reserved.ts'

test('threads are started in one place', () => {
  assert.deepEqual(reservedFaultsOf(readModules()), [])
})

test('a thread that is started elsewhere is found', () => {
  for (const from of ['node:worker_threads', 'worker_threads']) {
    const planted = { path: 'src/search/memory/engine.ts', imports: [{ from, isType: false }] }
    assert.equal(reservedFaultsOf([planted]).length, 1)
  }
})
