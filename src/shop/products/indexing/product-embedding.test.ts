import assert from 'node:assert/strict'
import { test } from 'node:test'
import { BUILTIN_ID } from '../../../embedding/builtin/builtin.ts'
import { EmbedderPool } from '../../../embedding/embedder-pool.ts'
import { planVectors } from '../../../embedding/planned-vectors.ts'
import { draftOf, newRow } from '../draft.ts'
import { PRODUCT_EMBEDDING } from './product-embedding.ts'

test('other work gets its turn while the long texts of a batch are embedded', async () => {
  const pool = new EmbedderPool({ provider: 'builtin', url: null, model: null, apiKey: null, dimensions: null })
  const facts = { tenantId: 't', siteId: 's', seq: 1, now: 0, run: null }
  const rows = Array.from({ length: 30 }, (_, i) => {
    const text = `Schrauber ${i} `.repeat(900)
    return newRow(draftOf({ title: 'T', language: 'de', description: text, similarity_text: text }, 'feed'), facts)
  })
  let turns = 0
  let isDone = false
  const count = (): void => {
    turns++
    if (!isDone) setImmediate(count)
  }
  setImmediate(count)
  await planVectors(PRODUCT_EMBEDDING, pool, rows, { model: BUILTIN_ID, choice: null })
  isDone = true
  // Far more text than one slice can embed.
  assert.ok(turns > 2, `${turns} turns`)
})
