import assert from 'node:assert/strict'
import { test } from 'node:test'
import { EmbedderPool } from './embedder-pool.ts'
import { BOTH_ID, STATIC_ID } from './builtin/ids.ts'
import { NO_READER } from './contextual/no-reader.ts'
import type { TextReader } from './contextual/reader.ts'
import { EmbeddingUnavailable } from './embedder.ts'
import { RecentQueries } from './recent-queries.ts'

const HOUR_MS = 3_600_000
const right = async (vector: Float32Array) => vector

/** Returns recent queries, the time, and a function that asks for a query and notes it when the model is asked. */
function stage(vectorOf = (query: string) => Float32Array.of(query.length)) {
  const asked: string[] = []
  const clock = { now: 0 }
  const recent = new RecentQueries(() => clock.now)
  const ask = (query: string, { tenant = 't', model = 'm', check = right } = {}) =>
    recent.vectorOf(
      tenant,
      model,
      query,
      async () => {
        asked.push(query)
        return vectorOf(query)
      },
      check,
    )
  return { recent, asked, clock, ask }
}

test('a query that was asked before asks no model, also one that is being asked', async () => {
  const { asked, ask } = stage()
  assert.deepEqual(await Promise.all(['a', 'bb', 'a'].map((query) => ask(query))), [
    Float32Array.of(1),
    Float32Array.of(2),
    Float32Array.of(1),
  ])
  assert.deepEqual(await ask('a'), Float32Array.of(1))
  assert.deepEqual(asked, ['a', 'bb'])
})

test('what was asked for one tenant or model is asked again for another one', async () => {
  const { asked, ask } = stage()
  for (const other of [{}, { tenant: 'other' }, { model: 'other' }, { tenant: '["t","m"', model: '"a"]' }]) {
    await ask('a', other)
    await ask('a', other)
  }
  assert.equal(asked.length, 4)
})

test('the 2,048 queries that were used last are kept, and none of more than 512 characters', async () => {
  const { recent, asked, ask } = stage()
  for (let i = 0; i < 2_048; i++) await ask(`${i}`)
  await ask('0')
  await ask('one more')
  assert.equal(recent.size, 2_048)
  asked.length = 0
  for (const query of ['0', '2', '1', 'x'.repeat(512), 'x'.repeat(512), 'x'.repeat(513), 'x'.repeat(513)])
    await ask(query)
  assert.deepEqual(
    asked.map((query) => query.length),
    [1, 512, 513, 513],
  )
  assert.equal(recent.size, 2_048)
})

test('very long vectors are kept of fewer queries', async () => {
  const { recent, ask } = stage(() => new Float32Array(8_192))
  for (let i = 0; i < 600; i++) await ask(`${i}`)
  assert.equal(recent.size, 512)
})

test('a failure is not kept', async () => {
  let isDown = true
  const { asked, ask } = stage(() => {
    if (isDown) throw new EmbeddingUnavailable('down')
    return Float32Array.of(1)
  })
  await assert.rejects(ask('a'), EmbeddingUnavailable)
  isDown = false
  assert.deepEqual(await ask('a'), Float32Array.of(1))
  assert.equal(asked.length, 2)
})

test('a vector is asked for again after an hour, and when it is no longer right', async () => {
  const { asked, clock, ask } = stage()
  await ask('a')
  clock.now = HOUR_MS
  await ask('a')
  assert.equal(asked.length, 1)
  clock.now++
  await ask('a')
  assert.equal(asked.length, 2)
  const check = async () => {
    throw new Error('the tenant has vectors of another length now')
  }
  await ask('a', { check })
  assert.equal(asked.length, 3)
})

test('a repeated query counts no tokens, and the static model is asked each time', async () => {
  let reads = 0
  const reader: TextReader = {
    absence: null,
    trouble: null,
    read: async (texts) => {
      reads += texts.length
      return { vectors: texts.map(() => new Float32Array(384).fill(384 ** -0.5)), tokens: 7 }
    },
    close: async () => undefined,
  }
  const tokens: number[] = []
  const settings = { provider: 'builtin', url: null, model: null, apiKey: null, dimensions: null }
  const pool = new EmbedderPool(settings, (_tenant, count) => tokens.push(count), undefined, undefined, reader)
  const vectors = [1, 2, 3].map(() => pool.queryVector(BOTH_ID, 't', 'Passwort')!)
  const [vector] = await Promise.all(vectors)
  assert.equal(await pool.queryVector(BOTH_ID, 't', 'Passwort'), vector)
  assert.ok(Math.abs(Math.hypot(...vector) - 1) < 1e-6)
  assert.deepEqual([reads, tokens], [1, [7]])
  await pool.queryVector(STATIC_ID, 't', 'Passwort')
  await pool.queryVector(STATIC_ID, 't', 'Passwort')
  assert.deepEqual(tokens.slice(1), [1, 1])
})

test('queries and passages are read for their tenant, so that tenants can take turns', async () => {
  const owners: (string | undefined)[] = []
  const reader: TextReader = {
    ...NO_READER,
    read: async (texts, _purpose, { owner } = {}) => {
      owners.push(owner)
      return { vectors: texts.map(() => new Float32Array(384)), tokens: 1 }
    },
  }
  const settings = { provider: 'builtin', url: null, model: null, apiKey: null, dimensions: null }
  const pool = new EmbedderPool(settings, undefined, undefined, undefined, reader)
  await Promise.all(['t', 'u'].map((tenant) => pool.queryVector(BOTH_ID, tenant, 'Passwort')!))
  await pool.embed(pool.of(BOTH_ID)!, 'v', ['Passwort'])
  assert.deepEqual(owners, ['t', 'u', 'v'])
})
