import assert from 'node:assert/strict'
import type { Database, Queries } from '../../src/platform/database/database.ts'

const AUDITED = {
  entry: 'entries',
  category: 'categories',
  project: 'projects',
  workspace: 'workspaces',
  site: 'sites',
} as const

/**
 * Fails if data is incomplete: everything must be created and not deleted according to the audit log, and each entry
 * must have all of its earlier versions, and its vectors if it claims to have them.
 */
export async function assertWhole({ queries }: Database): Promise<void> {
  for (const [resource, table] of Object.entries(AUDITED)) {
    const ids = (await queries.selectFrom(table).select('id').execute()).map((row) => row.id)
    assert.deepEqual(new Set(ids), await recordedAlive(resource, queries), `${table} and their audit record`)
  }
  await assertWholeProducts(queries)
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

/** Returns the ids that the audit log has as created and not deleted or retired since. */
async function recordedAlive(resource: string, queries: Queries): Promise<Set<string>> {
  const alive = new Set<string>()
  const record = await queries
    .selectFrom('audit_log')
    .select(['action', 'resource_id'])
    .where('resource_type', '=', resource)
    .orderBy('id')
    .execute()
  for (const { action, resource_id: id } of record) {
    if (action === 'delete' || action === 'retire') alive.delete(id)
    else if (action !== 'purge') alive.add(id)
  }
  return alive
}

async function assertWholeProducts(queries: Queries): Promise<void> {
  const products = await queries.selectFrom('products').select(['id', 'retired_at', 'embedding_model']).execute()
  const present = products.filter((row) => row.retired_at === null)
  const alive = await recordedAlive('product', queries)
  assert.deepEqual(new Set(present.map((row) => row.id)), alive, 'products and their audit record')
  const vectors = await queries.selectFrom('product_vectors').select(['product_id', 'model']).execute()
  const embedded = new Set(vectors.map((row) => `${row.product_id} ${row.model}`))
  for (const { id, embedding_model: model } of present) {
    assert.ok(model !== null && embedded.has(`${id} ${model}`), 'a product without the vectors it should have')
  }
}
