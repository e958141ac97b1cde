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

test('a provider that does not exist is told with those that do', () => {
  const known = ['EMBEDDING_PROVIDER must be one of builtin, openai, transformers']
  assert.deepEqual(faultsOf({ EMBEDDING_PROVIDER: 'foo' }), known)
  assert.deepEqual(faultsOf({ EMBEDDING_PROVIDER: 'constructor' }), known)
})

test('all that a provider needs is asked for at once', () => {
  assert.deepEqual(faultsOf({ EMBEDDING_PROVIDER: 'openai' }), [
    'EMBEDDING_URL must be set with EMBEDDING_PROVIDER=openai',
    'EMBEDDING_MODEL must be set with EMBEDDING_PROVIDER=openai',
  ])
  assert.deepEqual(faultsOf({ EMBEDDING_PROVIDER: 'transformers' }), [
    'EMBEDDING_MODEL must be set with EMBEDDING_PROVIDER=transformers',
  ])
})

test('a model that is not there is told as plainly', () => {
  assert.match(
    faultsOf({ EMBEDDING_PROVIDER: 'transformers', EMBEDDING_MODEL: '/no/such/model' }).join(),
    /^EMBEDDING_MODEL must be an existing folder/,
  )
})
