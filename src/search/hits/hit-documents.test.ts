import assert from 'node:assert/strict'
import { test } from 'node:test'
import { PAGE_BYTES_MAX } from '../../platform/database/page.ts'
import { HitCache } from './hit-cache.ts'
import { hitDocuments } from './hit-documents.ts'

interface Row {
  readonly id: string
  readonly seq: number
  readonly text: string
}

/** Finds the JSON for hits on some documents, and reports which documents were read. */
async function find(
  cache: HitCache,
  wanted: readonly { id: string; seq: number }[],
  rows: readonly Row[],
  { bytes = 10, isLasting = true, tenantId = 't' } = {},
): Promise<{ shown: string[]; read: string[] }> {
  const read: string[] = []
  const found = await hitDocuments(
    cache,
    { tenantId, model: 'm' },
    wanted.map((shown) => ({ shown })),
    {
      bytesOf: (ids) => Promise.resolve(new Map(ids.map((id) => [id, bytes]))),
      rowsOf(ids) {
        read.push(...ids)
        return Promise.resolve(rows.filter(({ id }) => ids.includes(id)).toReversed())
      },
      write: ({ text }) => text,
      isLasting: () => isLasting,
    },
  )
  return { shown: found.map(({ shown, json }) => `${shown.id}: ${json.toString()}`), read }
}

const ONE = { id: 'one', seq: 1, text: 'first' }
const TWO = { id: 'two', seq: 2, text: 'second' }

test('documents are read once for each change, and answered in the order of the hits', async () => {
  const cache = new HitCache(1_000_000)
  const cold = await find(cache, [TWO, ONE], [ONE, TWO])
  assert.deepEqual(cold, { shown: ['two: second', 'one: first'], read: ['two', 'one'] })
  const warm = await find(cache, [ONE, TWO], [])
  assert.deepEqual(warm, { shown: ['one: first', 'two: second'], read: [] })
  const changed = { ...ONE, seq: 3, text: 'third' }
  assert.deepEqual(await find(cache, [changed, TWO], [changed]), {
    shown: ['one: third', 'two: second'],
    read: ['one'],
  })
  assert.deepEqual(await find(cache, [TWO], [], { tenantId: 'other' }), { shown: [], read: ['two'] })
})

test('a document that two hits show is read once, and a deleted one is left out', async () => {
  const found = await find(new HitCache(1_000_000), [ONE, TWO, ONE], [ONE])
  assert.deepEqual(found, { shown: ['one: first', 'one: first'], read: ['one', 'two'] })
})

test('JSON that holds only for the moment is made each time', async () => {
  const cache = new HitCache(1_000_000)
  for (let i = 0; i < 2; i++) {
    assert.deepEqual((await find(cache, [ONE], [ONE], { isLasting: false })).read, ['one'])
  }
})

test('a page ends before the document that exceeds it, even if the cache has that document', async () => {
  const cache = new HitCache(1_000_000)
  await find(cache, [TWO], [TWO])
  const three = { id: 'three', seq: 3, text: 'three' }
  const found = await find(cache, [ONE, three, TWO], [ONE, three], { bytes: PAGE_BYTES_MAX })
  assert.deepEqual(found, { shown: ['one: first'], read: ['one'] })
})
