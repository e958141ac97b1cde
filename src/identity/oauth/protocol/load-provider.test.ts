import assert from 'node:assert/strict'
import { test } from 'node:test'
import { loadProvider } from './load-provider.ts'

test('loading the server several times at once leaves console.warn as it was', async () => {
  const output = globalThis.console as unknown as { warn: unknown }
  const { warn } = output
  const [first, ...others] = await Promise.all([1, 2, 3].map(() => loadProvider()))
  for (const each of others) assert.equal(each, first)
  assert.equal(output.warn, warn)
  assert.equal(typeof first.createProvider, 'function')
})
