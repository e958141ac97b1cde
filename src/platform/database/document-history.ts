import { sql } from 'kysely'
import type { Database, Queries } from './database.ts'
import type { DocumentTables } from './document-tables.ts'

/** A tenant's youngest audit record, its youngest document of one kind up to some number, and whom it had erased. */
interface Mark {
  readonly audit: string | null
  readonly newest: { readonly id: string; readonly seq: number } | null
  readonly erased: Erased
}

/** When a person was erased last, and how many erasures are not complete. Both change with each erasure. */
interface Erased {
  readonly last: number | null
  readonly open: number
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
  const erased = await erasedOf(queries, tenantId)
  const mark: Mark = { audit: audit.rows[0]?.id ?? null, newest: newest.rows[0] ?? null, erased }
  return JSON.stringify(mark)
}

/**
 * Whether the database still has the past in which a mark was made. It has not if it is another database or was set
 * back, as from a backup: then numbers of changes are given a second time, to other changes. Every write leaves an audit
 * record with an id of its own, and the youngest document was written last or has changed since. Nor has it once
 * somebody was erased, or an erasure was completed: what was made before may know words of deleted notes.
 */
export async function containsMark(
  { queries }: Database,
  tenantId: string,
  tables: DocumentTables,
  mark: string,
): Promise<boolean> {
  const { audit, newest, erased } = JSON.parse(mark) as Mark
  if (audit === null) return false
  const now = await erasedOf(queries, tenantId)
  if (now.last !== erased.last || now.open !== erased.open) return false
  if (!(await lookUpAudit(queries, tenantId, audit)).isKnown) return false
  return newest === null || hasWritten(queries, tenantId, tables, newest)
}

/**
 * Whether what followed the mark's past is all that happened since: like `containsMark`, except that erasures do not
 * count, and that the youngest document decides alone once the audit log no longer reaches back to the mark.
 */
export async function followsMark(
  { queries }: Database,
  tenantId: string,
  tables: DocumentTables,
  mark: string,
): Promise<boolean> {
  const { audit, newest } = JSON.parse(mark) as Mark
  const { isKnown, isReached } = await lookUpAudit(queries, tenantId, audit ?? '')
  if (isReached && !isKnown) return false
  return newest === null ? isKnown : hasWritten(queries, tenantId, tables, newest)
}

/** Whether an audit record is there, and whether any is that old. */
async function lookUpAudit(
  queries: Queries,
  tenantId: string,
  id: string,
): Promise<{ readonly isKnown: boolean; readonly isReached: boolean }> {
  const { rows } = await sql<{ id: string }>`
    select id from audit_log where tenant_id = ${tenantId} and id <= ${id} order by id desc limit 1`.execute(queries)
  return { isKnown: rows.length > 0 && rows[0].id === id, isReached: rows.length > 0 }
}

/** Whether a document was written or deleted with this number or a later one. */
async function hasWritten(
  queries: Queries,
  tenantId: string,
  { documents, tombstones, idColumn }: DocumentTables,
  { id, seq }: NonNullable<Mark['newest']>,
): Promise<boolean> {
  const { rows } = await sql<{ seq: number; is_gone: number }>`
    select seq, 0 as is_gone from ${sql.table(documents)} where tenant_id = ${tenantId} and id = ${id}
    union all
    select seq, 1 from ${sql.table(tombstones)} where tenant_id = ${tenantId} and ${sql.ref(idColumn)} = ${id}
    `.execute(queries)
  return rows.some((row) => row.seq > seq || (row.seq === seq && row.is_gone === 0))
}

/**
 * Tells the state of a tenant's erasures from any earlier one. Read before the tenant's number of the last change: up to
 * that number is all that complete erasures have deleted.
 * @returns `state` is null while nobody was ever erased
 */
export async function readErasures(
  queries: Queries,
  tenantId: string,
): Promise<{ readonly state: string | null; readonly areComplete: boolean }> {
  const erased = await erasedOf(queries, tenantId)
  return { state: erased.last === null ? null : JSON.stringify(erased), areComplete: erased.open === 0 }
}

async function erasedOf(queries: Queries, tenantId: string): Promise<Erased> {
  const { rows } = await sql<Erased>`
    select (select max(erased_at) from users where tenant_id = ${tenantId}) as last,
      (select count(*) from user_erasures where tenant_id = ${tenantId}) as open`.execute(queries)
  return rows[0]
}
