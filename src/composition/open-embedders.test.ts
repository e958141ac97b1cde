import assert from 'node:assert/strict'
import { test } from 'node:test'
import { ConfigError, readConfig } from '../config.ts'
import { openEmbedders } from './open-embedders.ts'

function faultsOf(env: Readonly<Record<string, string>>): readonly string[] {
  try {
    openEmbedders(readConfig(env))
    return []
  } catch (error) {
    assert.ok(error instanceof ConfigError)
    return error.lines
  }
}

test('an unknown provider is refused with the list of known ones', () => {
  const faults = ['EMBEDDING_PROVIDER must be one of builtin, openai, transformers']
  assert.deepEqual(faultsOf({ EMBEDDING_PROVIDER: 'foo' }), faults)
  assert.deepEqual(faultsOf({ EMBEDDING_PROVIDER: 'constructor' }), faults)
})

test('all missing settings of a provider are named at once', () => {
  assert.deepEqual(faultsOf({ EMBEDDING_PROVIDER: 'openai' }), [
    'EMBEDDING_URL must be set with EMBEDDING_PROVIDER=openai',
    'EMBEDDING_MODEL must be set with EMBEDDING_PROVIDER=openai',
  ])
  assert.deepEqual(faultsOf({ EMBEDDING_PROVIDER: 'transformers' }), [
    'EMBEDDING_MODEL must be set with EMBEDDING_PROVIDER=transformers',
  ])
})

test('a missing model folder is refused in the same way', () => {
  assert.match(
    faultsOf({ EMBEDDING_PROVIDER: 'transformers', EMBEDDING_MODEL: '/no/such/model' }).join(),
    /^EMBEDDING_MODEL must be an existing folder/,
  )
})
