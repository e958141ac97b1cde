import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { sql } from 'kysely'
import type { Database } from '../../platform/database/database.ts'
import type { IndexDocument } from '../engine.ts'
import { whyNoPgvector, withPgvector } from '../../../test/support/pgvector.ts'
import { ChangingSource } from '../../../test/support/search/changing-source.ts'
import { DEFINITION } from '../../../test/support/search/documents.ts'
import { listUpTo, readDocuments, type StoredDocument } from './candidates-store.ts'
import { conditionOf } from './filter-store.ts'
import { adoptVectors } from './passages-store.ts'
import { ReplicaHost } from './replica-host.ts'
import { tablesOf } from './tables-store.ts'

const MIB = 2 ** 20
const DIMENSIONS = 64

/** Returns a document that takes about `bytes` as it is stored. */
function documentOf(id: string, bytes: number): IndexDocument {
  const vector = Float32Array.from({ length: DIMENSIONS }, (_, i) => i + 1)
  const passages = Array.from({ length: Math.ceil(bytes / vector.byteLength) }, () => ({ vector, start: 0, end: 1 }))
  const rest = { language: 'en', changedAt: 1, group: id, keys: {}, numbers: {} }
  return { id, ...rest, text: { title: ['lamp'] }, passages }
}

describe('large documents of a replica', { skip: whyNoPgvector() }, () => {
  let database: Database
  let host: ReplicaHost
  const source = new ChangingSource(DEFINITION, 1)

  withPgvector((opened) => {
    database = opened
    host = new ReplicaHost(database, [source])
  })

  test('are read in pieces, and those that do not fit are left out', async () => {
    for (const [id, mib] of [
      ['a', 1],
      ['b', 1],
      ['c', 6],
      ['d', 1],
      ['e', 0.5],
    ] as const) {
      source.put('pieces', documentOf(id, mib * MIB))
    }
    const version = source.versionOf('pieces')
    await host.warm(version)
    const tables = tablesOf(version)
    const eligible = { queries: database.queries, tables, condition: conditionOf(DEFINITION, { all: [] }) }
    const numbers = await listUpTo(eligible, { documents: 5, bytes: 20 * MIB })
    assert.equal(numbers?.length, 5)
    assert.equal(await listUpTo(eligible, { documents: 4, bytes: 20 * MIB }), null)
    assert.equal(await listUpTo(eligible, { documents: 5, bytes: 9 * MIB }), null)
    const read = async (bytesMax: number) => {
      const pieces: number[] = []
      const take = async (piece: readonly StoredDocument[]) => void pieces.push(piece.length)
      const isWhole = await readDocuments(
        database.queries,
        tables,
        numbers.toSorted((a, b) => a - b),
        bytesMax,
        take,
      )
      return { pieces, isWhole }
    }
    assert.deepEqual(await read(20 * MIB), { pieces: [2, 1, 2], isWhole: true })
    assert.deepEqual(await read(4 * MIB), { pieces: [2, 2], isWhole: false })
    assert.deepEqual(await read(0), { pieces: [], isWhole: false })
  })

  test('that wait for a table of their vectors get into it a few at a time', async () => {
    for (const id of ['a', 'b', 'c']) source.put('waiting', documentOf(id, 1.5 * MIB))
    const version = source.versionOf('waiting')
    await host.warm(version)
    const { documents, misfits, passages } = tablesOf(version)
    const countOf = async (table: typeof misfits): Promise<number> => {
      const { rows } = await sql<{ count: number }>`select count(*) from ${table}`.execute(database.queries)
      return rows[0].count
    }
    const stored = await countOf(passages)
    // As after a change of the length of all vectors.
    await sql`insert into ${misfits} select number, ${DIMENSIONS}::int from ${documents}`.execute(database.queries)
    await sql`delete from ${passages}`.execute(database.queries)
    await sql`
      update search_replicas.replicas set is_adopting = true, passages = 0 where tenant_id = 'waiting'
      `.execute(database.queries)
    const left: number[] = []
    while (await adoptVectors(database, version)) left.push(await countOf(misfits))
    assert.deepEqual(left, [1, 0])
    assert.equal(await countOf(passages), stored)
  })
})
