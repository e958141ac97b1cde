import assert from 'node:assert/strict'
import { test } from 'node:test'
import { PAGE_BYTES_MAX } from '../../platform/database/page.ts'
import { HitCache } from './hit-cache.ts'
import { shownDocuments } from './shown-documents.ts'
import { DocumentShape } from './written-document.ts'

interface Row {
  readonly id: string
  readonly seq: number
  readonly text: string
  readonly title?: string
}

const SHAPE = new DocumentShape(['id', 'title', 'text'])

interface Options {
  /** Bytes of stored text of each document. */
  readonly bytes?: number
  readonly isLasting?: boolean
  readonly tenantId?: string
  readonly fields?: readonly string[]
}

/**
 * Returns the ids of the shown documents and of those that were read; an id has the fields behind it where only some
 * were read.
 */
async function find(
  cache: HitCache,
  states: readonly { id: string; seq: number }[],
  rows: readonly Row[],
  { bytes = 10, isLasting = true, tenantId = 't', fields }: Options = {},
): Promise<{ shown: string[]; read: string[]; isCut: boolean }> {
  const read: string[] = []
  const { shown, isCut } = await shownDocuments(
    cache,
    { tenantId, model: 'm' },
    states.map((state) => ({ shown: state })),
    {
      shape: SHAPE,
      longFields: new Set(['text']),
      bytesOf: (ids) => Promise.resolve(new Map(ids.map((id) => [id, bytes]))),
      read(ids, some) {
        read.push(...ids.map((id) => (some === null ? id : `${id}: ${some.join()}`)))
        const matches = rows.filter(({ id }) => ids.includes(id)).toReversed()
        return Promise.resolve(
          matches.map(({ id, seq, ...texts }) => {
            const document = Object.entries({ id, ...texts }).filter(([name]) => some === null || some.includes(name))
            return { id, seq, document: Object.fromEntries(document), isLasting }
          }),
        )
      },
    },
    fields,
  )
  return { shown: shown.map(({ document }) => document.get('id') as string), read, isCut }
}

const ONE = { id: 'one', seq: 1, text: 'first' }
const TWO = { id: 'two', seq: 2, text: 'second' }

test('documents are read once for each change, and shown in the order of the hits', async () => {
  const cache = new HitCache(1_000_000)
  assert.deepEqual(await find(cache, [TWO, ONE], [ONE, TWO]), {
    shown: ['two', 'one'],
    read: ['two', 'one'],
    isCut: false,
  })
  assert.deepEqual(await find(cache, [ONE, TWO], []), { shown: ['one', 'two'], read: [], isCut: false })
  const changed = { ...ONE, seq: 3, text: 'third' }
  assert.deepEqual(await find(cache, [changed, TWO], [changed]), {
    shown: ['one', 'two'],
    read: ['one'],
    isCut: false,
  })
  assert.deepEqual(await find(cache, [TWO], [], { tenantId: 'other' }), { shown: [], read: ['two'], isCut: false })
})

test('a document that two hits show is read once, and a deleted one is left out', async () => {
  const page = await find(new HitCache(1_000_000), [ONE, TWO, ONE], [ONE])
  assert.deepEqual(page, { shown: ['one', 'one'], read: ['one', 'two'], isCut: false })
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
  const page = await find(cache, [ONE, three, TWO], [ONE, three], { bytes: PAGE_BYTES_MAX })
  assert.deepEqual(page, { shown: ['one'], read: ['one'], isCut: true })
})

test('where some fields are needed, small documents are read whole and cached, large ones are not', async () => {
  const cache = new HitCache(1_000_000)
  const fields = ['id', 'title']
  assert.deepEqual((await find(cache, [ONE], [ONE], { fields })).read, ['one'])
  assert.deepEqual((await find(cache, [ONE], [], { fields })).read, [])
  const large = await find(cache, [TWO], [TWO], { fields, bytes: PAGE_BYTES_MAX })
  assert.deepEqual(large, { shown: ['two'], read: ['two: id,title'], isCut: false })
  assert.deepEqual((await find(cache, [TWO], [TWO])).read, ['two'])
})

test('a page of large documents ends early only where their long texts are needed', async () => {
  const many = [ONE, TWO, { id: 'three', seq: 3, text: 'third' }]
  const titles = await find(new HitCache(1_000_000), many, many, { fields: ['id'], bytes: PAGE_BYTES_MAX })
  assert.deepEqual([titles.shown, titles.isCut], [['one', 'two', 'three'], false])
  const texts = await find(new HitCache(1_000_000), many, many, { fields: ['id', 'text'], bytes: PAGE_BYTES_MAX })
  assert.deepEqual([texts.shown, texts.isCut], [['one'], true])
})
