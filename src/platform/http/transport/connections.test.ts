import assert from 'node:assert/strict'
import { test } from 'node:test'
import { idleTimeoutFor } from './connections.ts'

test('a connection stays open longer than the longest wait of its requests, and never less than two minutes', () => {
  assert.equal(idleTimeoutFor(5_000), 120_000)
  for (const waitMs of [100_000, 120_000, 300_000]) assert.ok(idleTimeoutFor(waitMs) >= waitMs + 10_000)
})
