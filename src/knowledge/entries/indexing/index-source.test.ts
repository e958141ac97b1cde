import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { CompiledQuery } from 'kysely'
import { onEachDatabase } from '../../../../test/support/databases.ts'
import { watched } from '../../../../test/support/plans.ts'
import { TestService } from '../../../../test/support/service.ts'
import { BUILTIN_ID } from '../../../embedding/builtin/builtin.ts'
import { indexSource } from '../../../search/indexing/index-source.ts'
import { SEARCHABLE_ENTRIES } from './index-source.ts'

const ENTRIES = '/api/knowledge/knowledge-entries'
const COUNT = 450

/** A node of a plan that PostgreSQL has run. */
interface PlanNode {
  readonly 'Relation Name'?: string
  readonly 'Actual Rows': number
  readonly 'Actual Loops': number
  readonly 'Rows Removed by Filter'?: number
  readonly Plans?: readonly PlanNode[]
}

onEachDatabase('changed entries, as their index reads them', (kind) => {
  let service: TestService
  let ids: string[]
  before(async () => {
    service = await TestService.start(kind)
    const category_id = await service.category()
    const lines = Array.from({ length: COUNT }, (_, n) =>
      JSON.stringify({ title: `Entry ${n}`, content: `Content ${n}`, category_id, language: 'en' }),
    )
    const headers = { 'content-type': 'application/x-ndjson' }
    const { status } = await service.call('POST', `${ENTRIES}/bulk`, { body: lines.join('\n'), headers })
    assert.equal(status, 200)
    ids = (await service.database.queries.selectFrom('entries').select('id').orderBy('seq').execute()).map(
      ({ id }) => id,
    )
    assert.equal(ids.length, COUNT)
  })
  after(() => service.stop())

  const watermark = async () =>
    (await service.database.queries.selectFrom('tenants').select('watermark').executeTakeFirstOrThrow()).watermark

  /** The changes since a number, and the statements that read them. */
  const changesSince = async (from: number) => {
    const { database, statements } = watched(service.database)
    const version = { tenantId: 'default', index: 'entries', model: BUILTIN_ID, watermark: await watermark() }
    const told: { id: string; passages: number }[] = []
    for await (const batch of indexSource(database, SEARCHABLE_ENTRIES).changes(version, from)) {
      for (const change of batch) {
        if ('put' in change) told.push({ id: change.put.id, passages: change.put.passages.length })
      }
    }
    return { told, statements }
  }

  test('two statements find and read the changes of one tenant', async () => {
    const from = await watermark()
    const { status } = await service.call('PATCH', `${ENTRIES}/${ids[7]}`, { body: { summary: 'Changed' } })
    assert.equal(status, 200)
    const { told, statements } = await changesSince(from)
    assert.deepEqual(told, [{ id: ids[7], passages: 1 }])
    assert.deepEqual(
      statements.map(({ owner }) => owner),
      ['default', 'default'],
    )
  })

  test('without statistics the database still reads only the vectors of the changes', async () => {
    const { told, statements } = await changesSince(0)
    assert.deepEqual(told.map(({ id }) => id).sort(), ids.toSorted())
    assert.ok(told.every(({ passages }) => passages === 1))
    // SQLite plans by its indexes alone.
    if (kind.name === 'SQLite') return
    let seen = 0
    for (const { text, parameters } of statements) {
      const { rows } = await service.database.queries.executeQuery<{ 'QUERY PLAN': { Plan: PlanNode }[] }>(
        CompiledQuery.raw(`explain (analyze, format json) ${text}`, [...parameters]),
      )
      seen += rowsOf(rows[0]['QUERY PLAN'][0].Plan, 'entry_vectors')
    }
    // Once for the list of changes, and once each to read passages and vectors.
    assert.ok(seen <= 3 * COUNT, `${seen} vectors were looked at for ${COUNT} entries`)
  })
})

/** Rows of a table that a plan read, whether it kept them or not. */
function rowsOf(node: PlanNode, table: string): number {
  const own = (node['Actual Rows'] + (node['Rows Removed by Filter'] ?? 0)) * node['Actual Loops']
  const below = (node.Plans ?? []).reduce((sum, each) => sum + rowsOf(each, table), 0)
  return below + (node['Relation Name'] === table ? own : 0)
}
