import assert from 'node:assert/strict'
import { sql } from 'kysely'
import { decodeHashes } from '../../src/embedding/text-hashes.ts'
import type { Database } from '../../src/platform/database/database.ts'

/**
 * Fails if any write is incomplete: entries, versions, audit records, vectors, jobs, tombstones and the tenants'
 * watermarks must agree.
 */
export async function assertConsistent(database: Database): Promise<void> {
  if (database.portable.name === 'sqlite') await assertIntact(database)
  await assertNoViolations(database, VIOLATIONS)
  await assertVectorsFit(database)
  await assertUnreadWait(database)
}

/**
 * Fails if a query selects anything.
 * @param violations queries that select violations, by the guarantee that they check
 */
export async function assertNoViolations(
  { queries }: Database,
  violations: Readonly<Record<string, string>>,
): Promise<void> {
  for (const [guarantee, query] of Object.entries(violations)) {
    const { rows } = await sql.raw(`select * from (${query}) as violation limit 5`).execute(queries)
    assert.deepEqual(rows, [], `violated: ${guarantee}`)
  }
}

/** Number of audited writes per entry. */
const AUDITED = `
    select tenant_id, resource_id as entry_id,
      sum(case when action = 'create' then 1 else 0 end) as creations,
      sum(case when action = 'update' then 1 else 0 end) as changes,
      sum(case when action = 'delete' then 1 else 0 end)
        - sum(case when action = 'restore' then 1 else 0 end) as deletions
    from audit_log where resource_type = 'entry' group by tenant_id, resource_id`

/** Each query selects violations of the guarantee in its name. */
const VIOLATIONS: Readonly<Record<string, string>> = {
  'an entry has every version before its own, and no other': `
    select e.tenant_id, e.id, e.version, count(v.version) as versions
    from entries e left join entry_versions v on v.tenant_id = e.tenant_id and v.entry_id = e.id
    group by e.tenant_id, e.id, e.version
    having count(v.version) <> e.version - 1
      or coalesce(min(v.version), 1) <> 1 or coalesce(max(v.version), e.version - 1) <> e.version - 1`,
  'an entry has one audit record for its creation, one for each change and none for a deletion': `
    select e.tenant_id, e.id, e.version, a.creations, a.changes, a.deletions
    from entries e left join (${AUDITED}) a on a.tenant_id = e.tenant_id and a.entry_id = e.id
    where a.entry_id is null or a.creations <> 1 or a.changes <> e.version - 1 or a.deletions <> 0`,
  'a tombstone has one audit record for the creation and one for the deletion': `
    select t.tenant_id, t.entry_id, a.creations, a.deletions
    from entry_tombstones t left join (${AUDITED}) a on a.tenant_id = t.tenant_id and a.entry_id = t.entry_id
    where a.entry_id is null or a.creations <> 1 or a.deletions <> 1`,
  'what the audit says was created is there as an entry or as a tombstone, not both': `
    select a.tenant_id, a.resource_id
    from audit_log a
      left join entries e on e.tenant_id = a.tenant_id and e.id = a.resource_id
      left join entry_tombstones t on t.tenant_id = a.tenant_id and t.entry_id = a.resource_id
    where a.resource_type = 'entry' and a.action = 'create' and (e.id is null) = (t.entry_id is null)`,
  'no entry is newer than its tenant': `
    select e.tenant_id, e.id, e.seq from entries e join tenants n on n.tenant_id = e.tenant_id
    where e.seq > n.watermark or e.seq < 1`,
  'no tombstone is newer than its tenant': `
    select t.tenant_id, t.entry_id, t.seq from entry_tombstones t join tenants n on n.tenant_id = t.tenant_id
    where t.seq > n.watermark or t.seq < 1`,
  'an entry that says it has vectors has them, of the model its tenant searches with': `
    select e.tenant_id, e.id, e.embedding_model
    from entries e join tenants n on n.tenant_id = e.tenant_id
      left join entry_vectors v
        on v.tenant_id = e.tenant_id and v.entry_id = e.id and v.model = e.embedding_model
    where e.embedding_model is not null and (v.entry_id is null or e.embedding_model <> n.embedding_model)`,
  'an entry without vectors waits for them in the queue': `
    select e.tenant_id, e.id
    from entries e join tenants n on n.tenant_id = e.tenant_id
      left join embedding_jobs j on j.tenant_id = e.tenant_id and j.kind = 'entry' and j.item_id = e.id
    where e.embedding_model is null and j.item_id is null`,
  'the queue holds nothing for entries that are gone': `
    select j.tenant_id, j.item_id
    from embedding_jobs j left join entries e on e.tenant_id = j.tenant_id and e.id = j.item_id
    where j.kind = 'entry' and e.id is null`,
  'nothing belongs to an entry that is not there': `
    select v.tenant_id, v.entry_id from entry_versions v
      left join entries e on e.tenant_id = v.tenant_id and e.id = v.entry_id where e.id is null
    union all
    select v.tenant_id, v.entry_id from entry_vectors v
      left join entries e on e.tenant_id = v.tenant_id and e.id = v.entry_id where e.id is null`,
}

async function assertIntact({ queries }: Database): Promise<void> {
  const { rows } = await sql<{ integrity_check: string }>`select * from pragma_integrity_check`.execute(queries)
  assert.deepEqual(
    rows.map((row) => row.integrity_check),
    ['ok'],
  )
  assert.deepEqual((await sql`select * from pragma_foreign_key_check`.execute(queries)).rows, [])
}

/** Fails unless all vectors of a model have one length, and each passage has one vector. */
async function assertVectorsFit({ queries }: Database): Promise<void> {
  const rows = await queries.selectFrom('entry_vectors').select(['entry_id', 'model', 'offsets', 'vectors']).execute()
  const dimensions = new Map<string, number>()
  for (const { entry_id: id, model, offsets, vectors } of rows) {
    const length = vectors.byteLength / 4 / (offsets.byteLength / 8)
    assert.equal(length, dimensions.get(model) ?? length, `vectors of entry ${id} of ${model}`)
    assert.ok(Number.isInteger(length) && length > 0, `vectors of entry ${id} of ${model}`)
    dimensions.set(model, length)
  }
}

/** Fails unless each entry of which a text was not read, by the model that its tenant searches with, has a job. */
async function assertUnreadWait({ queries }: Database): Promise<void> {
  const { rows } = await sql<{ id: string; hashes: Buffer }>`
    select v.entry_id as id, v.text_hashes as hashes
    from entry_vectors v join tenants t on t.tenant_id = v.tenant_id and t.embedding_model = v.model
      left join embedding_jobs j
        on j.tenant_id = v.tenant_id and j.kind = 'entry' and j.item_id = v.entry_id and j.model = v.model
    where v.text_hashes is not null and j.item_id is null`.execute(queries)
  for (const { id, hashes } of rows) assert.ok(!decodeHashes(hashes).includes(null), `nothing will read entry ${id}`)
}
