import { sql } from 'kysely'
import type { Database } from './database.ts'
import type { DocumentTables } from './document-tables.ts'

/** A tenant's youngest audit record, and its youngest document of one kind up to some number. */
interface Mark {
  readonly audit: string | null
  readonly newest: { readonly id: string; readonly seq: number } | null
}

/** A mark of what has happened in the database by now, for `containsMark`. @param last the number of a change */
export async function markHistory(
  { queries }: Database,
  tenantId: string,
  { documents }: DocumentTables,
  last: number,
): Promise<string> {
  const newest = await sql<{ id: string; seq: number }>`
    select id, seq from ${sql.table(documents)} where tenant_id = ${tenantId} and seq <= ${last}
    order by seq desc, id desc limit 1`.execute(queries)
  const audit = await sql<{ id: string }>`
    select id from audit_log where tenant_id = ${tenantId} order by id desc limit 1`.execute(queries)
  const mark: Mark = { audit: audit.rows[0]?.id ?? null, newest: newest.rows[0] ?? null }
  return JSON.stringify(mark)
}

/**
 * Whether the database still has the past in which a mark was made. It has not if it is another database or was set
 * back, as from a backup: then numbers of changes are given a second time, to other changes. Every write leaves an audit
 * record with an id of its own, and the youngest document was written last or has changed since.
 */
export async function containsMark(
  { queries }: Database,
  tenantId: string,
  { documents, tombstones, idColumn }: DocumentTables,
  mark: string,
): Promise<boolean> {
  const { audit, newest } = JSON.parse(mark) as Mark
  if (audit === null) return false
  const known = await sql`select 1 from audit_log where tenant_id = ${tenantId} and id = ${audit}`.execute(queries)
  if (known.rows.length === 0 || newest === null) return known.rows.length > 0
  const { rows } = await sql<{ seq: number; is_gone: number }>`
    select seq, 0 as is_gone from ${sql.table(documents)} where tenant_id = ${tenantId} and id = ${newest.id}
    union all
    select seq, 1 from ${sql.table(tombstones)} where tenant_id = ${tenantId} and ${sql.ref(idColumn)} = ${newest.id}
    `.execute(queries)
  return rows.some(({ seq, is_gone: isGone }) => seq > newest.seq || (seq === newest.seq && isGone === 0))
}
