import assert from 'node:assert/strict'
import { test } from 'node:test'
import { CONTEXTUAL_ID, STATIC_ID } from './builtin/ids.ts'
import { ReadingSpeed } from './reading-speed.ts'
import type { EmbeddingCall } from './telemetry/observed-embedder.ts'

const call = (call: Partial<EmbeddingCall>): EmbeddingCall => ({
  model: CONTEXTUAL_ID,
  purpose: 'passage',
  outcome: 'answered',
  texts: 1,
  tokens: 1_000,
  durationMs: 1_000,
  ...call,
})

test('the speed is the shipped figure until the process has read enough, and then its own', () => {
  const speed = new ReadingSpeed()
  for (let i = 0; i < 19; i++) speed.note(call({}))
  assert.equal(speed.of(CONTEXTUAL_ID), 8_000)
  speed.note(call({}))
  assert.equal(speed.of(CONTEXTUAL_ID), 1_000)
  assert.equal(speed.of(STATIC_ID), 1_000_000, 'each model has its own')
})

test('queries, failures and calls without a count of tokens say nothing of the speed', () => {
  const speed = new ReadingSpeed()
  for (const other of [{ purpose: 'query' }, { outcome: 'failed' }, { tokens: undefined }] as const)
    speed.note(call({ tokens: 100_000, ...other }))
  assert.equal(speed.of(CONTEXTUAL_ID), 8_000)
})

test('what was measured long ago counts less and less', () => {
  const speed = new ReadingSpeed()
  for (let i = 0; i < 40; i++) speed.note(call({ tokens: 100_000, durationMs: 100_000 }))
  for (let i = 0; i < 60; i++) speed.note(call({ tokens: 100_000, durationMs: 10_000 }))
  assert.ok(speed.of(CONTEXTUAL_ID) > 8_000, `${speed.of(CONTEXTUAL_ID)} tokens a second`)
})
