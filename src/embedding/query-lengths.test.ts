import assert from 'node:assert/strict'
import { test } from 'node:test'
import { QueryLengths } from './query-lengths.ts'

test('the vector of a query is compared with the stored ones, whose length is read again only when they differ', async () => {
  let stored: number | null = null
  const readings: string[] = []
  const lengths = new QueryLengths(async (tenantId, model) => {
    readings.push(`${tenantId} ${model}`)
    return stored
  })
  const check = async (size: number) => (await lengths.check('t', 'm', new Float32Array(size))).length
  assert.deepEqual([await check(2), await check(3)], [2, 3], 'any, while nothing is stored')
  stored = 3
  await check(3)
  const before = readings.length
  await check(3)
  assert.equal(readings.length, before)
  await assert.rejects(check(2), {
    name: 'EmbeddingRejected',
    message: /vectors of 2 numbers, those stored for m have 3/,
  })
  stored = 2
  assert.equal(await check(2), 2, 'after a reindex')
  await assert.rejects(check(3))
})
