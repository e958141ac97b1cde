import assert from 'node:assert/strict'
import type { Database } from '../../src/database/database.ts'

const AUDITED = { entry: 'entries', category: 'categories', project: 'projects', workspace: 'workspaces' } as const

/**
 * Asserts that nothing is stored by halves: whatever exists was created and not deleted by the audit
 * record, each entry has all its earlier versions, and its vectors if it says so.
 */
export async function assertWhole({ queries }: Database): Promise<void> {
  for (const [resource, table] of Object.entries(AUDITED)) {
    const ids = (await queries.selectFrom(table).select('id').execute()).map((row) => row.id)
    const record = await queries
      .selectFrom('audit_log')
      .select(['action', 'resource_id'])
      .where('resource_type', '=', resource)
      .execute()
    const of = (action: string) => record.filter((row) => row.action === action).map((row) => row.resource_id)
    const deleted = new Set(of('delete'))
    const alive = of('create').filter((id) => !deleted.has(id))
    assert.deepEqual(new Set(ids), new Set(alive), `${table} and their audit record`)
  }
  const entries = await queries.selectFrom('entries').select(['id', 'version', 'embedding_model']).execute()
  const versions = Map.groupBy(
    await queries.selectFrom('entry_versions').select(['entry_id', 'version']).execute(),
    (row) => row.entry_id,
  )
  const vectors = await queries.selectFrom('entry_vectors').select(['entry_id', 'model']).execute()
  const embedded = new Set(vectors.map((row) => `${row.entry_id} ${row.model}`))
  for (const { id, version, embedding_model: model } of entries) {
    const earlier = (versions.get(id) ?? []).map((row) => row.version).sort((a, b) => a - b)
    assert.deepEqual(
      earlier,
      Array.from({ length: version - 1 }, (_, i) => i + 1),
      'versions of an entry',
    )
    assert.ok(model !== null && embedded.has(`${id} ${model}`), 'an entry without the vectors it should have')
  }
}
