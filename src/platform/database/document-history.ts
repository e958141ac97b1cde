import { sql } from 'kysely'
import type { Database, Queries } from './database.ts'
import type { DocumentTables } from './document-tables.ts'

/**
 * Mark of a tenant's past: its newest audit record, its newest document of one kind up to some number, and the state of
 * its erasures of people.
 */
interface Mark {
  readonly audit: string | null
  readonly newest: { readonly id: string; readonly seq: number } | null
  readonly erased: Erasures
}

/**
 * Time of the last erasure of a person, and number of erasures that are not complete. Both change with each erasure.
 */
interface Erasures {
  readonly last: number | null
  readonly open: number
}

/**
 * Returns a mark of a tenant's past, for `containsMark`.
 * @param last number of the newest change that the mark covers
 */
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
  const erased = await erasuresOf(queries, tenantId)
  const mark: Mark = { audit: audit.rows[0]?.id ?? null, newest: newest.rows[0] ?? null, erased }
  return JSON.stringify(mark)
}

/**
 * Tells whether the database still has the past in which a mark was made. Another database does not have it, and
 * neither does a database that was set back, as from a backup: there the same numbers may belong to other changes. So
 * the audit record of the mark must be stored, since every write leaves one with an id of its own; and the document of
 * the mark must have its number or a later one. The past is also gone once a person was erased, or an erasure was
 * completed: an index from before may know words of deleted notes.
 */
export async function containsMark(
  { queries }: Database,
  tenantId: string,
  tables: DocumentTables,
  mark: string,
): Promise<boolean> {
  const { audit, newest, erased } = JSON.parse(mark) as Mark
  if (audit === null) return false
  const now = await erasuresOf(queries, tenantId)
  if (now.last !== erased.last || now.open !== erased.open) return false
  if (!(await lookUpAudit(queries, tenantId, audit)).isStored) return false
  return newest === null || hasWritten(queries, tenantId, tables, newest)
}

/**
 * Tells whether the database continues the past of a mark, so that its later changes are all changes since then. Like
 * `containsMark`, except that erasures do not count, and that the document of the mark decides alone once the audit log
 * no longer reaches back to the mark.
 */
export async function followsMark(
  { queries }: Database,
  tenantId: string,
  tables: DocumentTables,
  mark: string,
): Promise<boolean> {
  const { audit, newest } = JSON.parse(mark) as Mark
  const { isStored, reachesBack } = await lookUpAudit(queries, tenantId, audit ?? '')
  if (reachesBack && !isStored) return false
  return newest === null ? isStored : hasWritten(queries, tenantId, tables, newest)
}

/** Tells whether an audit record is stored, and whether the audit log reaches back to it. */
async function lookUpAudit(
  queries: Queries,
  tenantId: string,
  id: string,
): Promise<{ readonly isStored: boolean; readonly reachesBack: boolean }> {
  const { rows } = await sql<{ id: string }>`
    select id from audit_log where tenant_id = ${tenantId} and id <= ${id} order by id desc limit 1`.execute(queries)
  return { isStored: rows.length > 0 && rows[0].id === id, reachesBack: rows.length > 0 }
}

/** Tells whether a document was written or deleted with this number or a later one. */
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
 * Returns the state of a tenant's erasures, which changes with each erasure. Read it before the tenant's watermark:
 * then all deletions of complete erasures have numbers up to that watermark.
 * @returns a `state` of null while no person was ever erased
 */
export async function readErasures(
  queries: Queries,
  tenantId: string,
): Promise<{ readonly state: string | null; readonly areComplete: boolean }> {
  const erasures = await erasuresOf(queries, tenantId)
  return { state: erasures.last === null ? null : JSON.stringify(erasures), areComplete: erasures.open === 0 }
}

async function erasuresOf(queries: Queries, tenantId: string): Promise<Erasures> {
  const { rows } = await sql<Erasures>`
    select (select max(erased_at) from users where tenant_id = ${tenantId}) as last,
      (select count(*) from user_erasures where tenant_id = ${tenantId}) as open`.execute(queries)
  return rows[0]
}
