import assert from 'node:assert/strict'
import { test } from 'node:test'
import * as fc from 'fast-check'
import {
  BATCH_BYTES_MAX,
  changeBatches,
  type ChangePosition,
  type ChangeReader,
  type ListedChange,
} from './change-batches.ts'
import type { IndexChange } from '../engine.ts'
import { inTier } from '../../../test/support/tier.ts'

/** Makes a change of a document, whose content does not matter in these tests. */
const changeOf = ({ seq, id }: ChangePosition): IndexChange => ({ seq, unreadable: id })

function isBehind(change: ChangePosition, after: ChangePosition): boolean {
  return change.seq > after.seq || (change.seq === after.seq && change.id > after.id)
}

/** Makes a reader of tables. `reads` records the ids of every statement. */
function readerOf(tables: readonly ListedChange[][]): { reader: ChangeReader; reads: string[][] } {
  const reads: string[][] = []
  const inOrder = (a: ChangePosition, b: ChangePosition): number => (isBehind(a, b) ? 1 : -1)
  const reader: ChangeReader = {
    list: async (after, limit) =>
      tables.map((rows) =>
        rows
          .filter((row) => isBehind(row, after))
          .sort(inOrder)
          .slice(0, limit),
      ),
    async read(ids, last) {
      reads.push([...ids])
      return tables
        .flat()
        .filter((row) => ids.includes(row.id) && row.seq <= last)
        .map(changeOf)
    },
  }
  return { reader, reads }
}

async function batchesOf(reader: ChangeReader, after = 0): Promise<IndexChange[][]> {
  const batches: IndexChange[][] = []
  for await (const batch of changeBatches(reader, after)) batches.push([...batch])
  return batches
}

test('every change is reported once, in order, however many share a number and in whichever table they are', async () => {
  const sequence = fc.array(fc.integer({ min: 1, max: 12 }), { maxLength: 500 })
  const property = fc.asyncProperty(sequence, sequence, fc.integer({ min: 0, max: 6 }), async (puts, gone, after) => {
    const listed = (seq: number, i: number, isTombstone: boolean): ListedChange => ({
      seq,
      id: `${isTombstone ? 'g' : 'p'}${i % 7}-${i}`,
      bytes: (i % 5) * 300_000,
      isTombstone,
    })
    const tables = [puts.map((seq, i) => listed(seq, i, false)), gone.map((seq, i) => listed(seq, i, true))]
    const { reader, reads } = readerOf(tables)
    const changes = (await batchesOf(reader, after)).flat()
    const expected = tables.flat().filter(({ seq }) => seq > after)
    assert.deepEqual(
      changes.map(({ seq }) => seq),
      expected.map(({ seq }) => seq).sort((a, b) => a - b),
    )
    const idOf = (change: IndexChange): string =>
      'remove' in change ? change.remove : 'unreadable' in change ? change.unreadable : ''
    assert.deepEqual(changes.map(idOf).sort(), expected.map(({ id }) => id).sort())
    const bytes = new Map(tables[0].map((row) => [row.id, row.bytes]))
    for (const ids of reads) {
      const sum = ids.reduce((total, id) => total + bytes.get(id)!, 0)
      assert.ok(ids.length <= 100 && (ids.length === 1 || sum <= BATCH_BYTES_MAX), `${ids.length} rows of ${sum} bytes`)
    }
  })
  await fc.assert(property, { numRuns: inTier({ gate: 20, all: 60 }) })
})

test('a document that changes while its batch is read is reported under its new number', async () => {
  const row: ListedChange = { seq: 1, id: 'a', bytes: 10, isTombstone: false }
  const table = [row, { ...row, seq: 2, id: 'b' }]
  const { reader } = readerOf([table])
  const list = reader.list
  let isFirst = true
  const moving: ChangeReader = {
    ...reader,
    async list(after, limit) {
      const listed = await list(after, limit)
      if (isFirst) table[0] = { ...row, seq: 3 }
      isFirst = false
      return listed
    },
  }
  assert.deepEqual(await batchesOf(moving), [[{ seq: 2, unreadable: 'b' }], [{ seq: 3, unreadable: 'a' }]])
})

test('after a list that was not full and was read completely, no further list is needed', async () => {
  const rows = Array.from({ length: 230 }, (_, i): ListedChange => ({
    seq: i + 1,
    id: `d${i}`,
    bytes: 10,
    isTombstone: i % 3 === 0,
  }))
  const { reader } = readerOf([rows])
  const lists: number[] = []
  const counting: ChangeReader = {
    ...reader,
    list(after, limit) {
      lists.push(after.seq)
      return reader.list(after, limit)
    },
  }
  const changes = (await batchesOf(counting)).flat()
  assert.equal(changes.length, 230)
  assert.deepEqual(lists, [0, 100, 200])
})
