import assert from 'node:assert/strict'
import { test } from 'node:test'
import { importsOf, readModules } from './read-modules.ts'
import { reservedFaultsOf } from './reserved.ts'

test('threads are started in only one place, and hidden parameters are declared in only one', () => {
  assert.deepEqual(reservedFaultsOf(readModules()), [])
})

test('a thread started elsewhere is found', () => {
  for (const from of ['node:worker_threads', 'worker_threads']) {
    const planted = { path: 'src/search/memory/host/engine.ts', imports: [{ from, isType: false }] }
    assert.equal(reservedFaultsOf([planted]).length, 1)
  }
})

test('a hidden parameter declared elsewhere is found', () => {
  const imports = importsOf('x.ts', "import { AsyncLocalStorage } from 'node:async_hooks'")
  assert.deepEqual(reservedFaultsOf([{ path: 'src/platform/http/caller.ts', imports }]), [
    'src/platform/http/caller.ts imports node:async_hooks: a value is passed as an argument, or is one of hidden-parameters.ts',
  ])
})
