import assert from 'node:assert/strict'
import { test } from 'node:test'
import { QueryLengths } from './query-lengths.ts'

test('the vector of a query is held against the stored ones, whose length is read again only when they differ', async () => {
  let stored: number | null = null
  const asked: string[] = []
  const lengths = new QueryLengths(async (tenantId, model) => {
    asked.push(`${tenantId} ${model}`)
    return stored
  })
  const check = async (size: number) => (await lengths.checked('t', 'm', new Float32Array(size))).length
  assert.deepEqual([await check(2), await check(3)], [2, 3], 'any, while nothing is stored')
  stored = 3
  await check(3)
  const before = asked.length
  await check(3)
  assert.equal(asked.length, before)
  await assert.rejects(check(2), {
    name: 'EmbeddingRejected',
    message: /vectors of 2 numbers, those stored for m have 3/,
  })
  stored = 2
  assert.equal(await check(2), 2, 'after a reindex')
  await assert.rejects(check(3))
})
