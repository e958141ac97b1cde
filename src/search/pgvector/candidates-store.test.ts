import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { sql } from 'kysely'
import type { Database } from '../../platform/database/database.ts'
import { whyNoPgvector, withPgvector } from '../../../test/support/pgvector.ts'
import { ChangingSource } from '../../../test/support/search/changing-source.ts'
import { DEFINITION } from '../../../test/support/search/documents.ts'
import { beginSearch, listNearest } from './candidates-store.ts'
import { conditionOf } from './filter-store.ts'
import { ReplicaHost } from './replica-host.ts'
import { tablesOf } from './tables-store.ts'

const HIDDEN = 2_000
const SEEN = 40

describe('the nearest documents of a replica', { skip: whyNoPgvector() }, () => {
  let database: Database
  const source = new ChangingSource(DEFINITION, 500)

  withPgvector(async (opened) => {
    database = opened
    let seed = 1
    const random = (): number => (seed = (seed * 16_807) % 2_147_483_647) / 2_147_483_647 - 0.5
    const put = (id: string, level: string, side: number): void => {
      const vector = Float32Array.of(side, random(), random(), random())
      const passages = [{ vector, start: 0, end: 1 }]
      const rest = { language: 'en', changedAt: 1, group: id, text: { title: ['lamp'] }, numbers: {} }
      source.put('near', { ...rest, id, keys: { level: [level] }, passages })
    }
    for (let n = 0; n < HIDDEN; n++) put(`h${n}`, 'secret', 1)
    for (let n = 0; n < SEEN; n++) put(`s${n}`, 'public', -1)
    await new ReplicaHost(database, [source]).warm(source.versionOf('near'))
  })

  /** Lists the nearest documents. @param settings replace those that a search sets */
  const nearest = (settings: Readonly<Record<string, string>>): Promise<number[]> =>
    database.queries.transaction().execute(async (tx) => {
      await beginSearch(tx, SEEN)
      // Makes the plan use the index, as for a large replica.
      for (const [name, value] of Object.entries({ enable_sort: 'off', ...settings })) {
        await sql`select set_config(${name}, ${value}, true)`.execute(tx)
      }
      const condition = conditionOf(DEFINITION, { field: 'level', anyOf: ['public'] })
      const eligible = { queries: tx, tables: tablesOf(source.versionOf('near')), condition }
      return listNearest(eligible, Float32Array.of(1, 0, 0, 0), { passages: 25, documentsMin: 10 })
    })

  test('are found behind thousands of nearer ones that the caller may not see', async () => {
    assert.equal((await nearest({})).length, 25)
  })

  test('are compared one by one where a scan of the index gives up before it has found enough', async () => {
    const all = await nearest({ 'hnsw.max_scan_tuples': '1', 'hnsw.ef_search': '1' })
    assert.equal(all.length, 25)
    assert.deepEqual(new Set(all), new Set(await nearest({ enable_indexscan: 'off', enable_sort: 'on' })))
  })

  test('are looked for in a hundred thousand passages, with memory for as many', async () => {
    const { rows } = await database.queries.transaction().execute(async (tx) => {
      await beginSearch(tx, 1)
      return sql<{ scanned: string; memory: string }>`
        select current_setting('hnsw.max_scan_tuples') as scanned, current_setting('hnsw.scan_mem_multiplier') as memory
        `.execute(tx)
    })
    assert.deepEqual(rows, [{ scanned: '100000', memory: '8' }])
  })
})
