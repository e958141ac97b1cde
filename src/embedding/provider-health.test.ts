import assert from 'node:assert/strict'
import { test } from 'node:test'
import { failingInWords, ProviderHealth } from './provider-health.ts'
import type { EmbeddingOutcome } from './telemetry/observed-embedder.ts'

const MODEL = 'openai:a:default'
const MINUTE_MS = 60_000

function stage() {
  let nowMs = 1_000_000
  const health = new ProviderHealth(MODEL, () => nowMs)
  const call = (outcome: EmbeddingOutcome, model = MODEL) =>
    health.note({ model, purpose: 'query', outcome, texts: 1, durationMs: 6_000 })
  return { health, call, pass: (ms: number) => void (nowMs += ms) }
}

test('a provider fails from the begin of its first failed call until one is answered, or a text refused', () => {
  const { health, call, pass } = stage()
  assert.equal(health.failingSince, null)
  call('failed')
  pass(MINUTE_MS)
  call('failed')
  assert.equal(health.failingSince, 994_000)
  call('abandoned')
  call('answered', 'builtin:other:256')
  assert.equal(health.failingSince, 994_000)
  for (const outcome of ['answered', 'refused'] as const) {
    call('failed')
    assert.notEqual(health.failingSince, null)
    call(outcome)
    assert.equal(health.failingSince, null, outcome)
  }
  call('failed', 'builtin:other:256')
  assert.equal(health.failingSince, null)
})

test('a provider that nobody has called for long is not said to fail, and a new failure begins anew', () => {
  const { health, call, pass } = stage()
  call('failed')
  pass(15 * MINUTE_MS)
  assert.equal(health.failingSince, 994_000)
  pass(1)
  assert.equal(health.failingSince, null)
  call('failed')
  assert.equal(health.failingSince, 1_000_000 + 15 * MINUTE_MS + 1 - 6_000)
})

test('the words name the time', () => {
  const said = 'The embedding provider has given no vectors since 1970-01-01T00:00:00.000Z'
  const texts = [0, 1, 2].map((waiting) => failingInWords('1970-01-01T00:00:00.000Z', waiting))
  assert.deepEqual(texts, [said, `${said}, and 1 text waits for it`, `${said}, and 2 texts wait for it`])
})
