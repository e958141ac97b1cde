import { type RawBuilder, sql } from 'kysely'
import type { Database } from './database.ts'
import type { DocumentTables } from './document-tables.ts'
import { comesAfter, textBytes } from './page.ts'
import type { Portable } from './portable.ts'

/** Tenant whose changes are read, and model of the vectors. */
interface Source {
  readonly tenantId: string
  /** Embedder id of the vectors to read; null before the tenant has vectors. */
  readonly model: string | null
}

/** Place in a list of changes. */
interface Place {
  readonly seq: number
  readonly id: string
}

interface Change extends Place {
  /** Stored bytes of the long columns and the vectors. */
  readonly bytes: number
  readonly isTombstone: boolean
}

/**
 * Lists a tenant's changed documents after a place, and its tombstones, at most `limit` of each, by number and id. One
 * statement reads both lists at the same moment; with two statements, a document deleted between them would be in
 * neither list. Vectors are looked up per document instead of joined: without statistics, as in the minute after an
 * import, PostgreSQL would compare every listed document with all vectors of the tenant.
 * @param longColumns columns of a document that may be long
 */
export async function listChanges(
  { queries }: Database,
  { tenantId, model }: Source,
  { documents, vectors, tombstones, idColumn }: DocumentTables,
  longColumns: readonly string[],
  { after, limit }: { readonly after: Place; readonly limit: number },
): Promise<[documents: Change[], tombstones: Change[]]> {
  const rowsAfter = (id: string) => sql`
    tenant_id = ${tenantId} and ${comesAfter(['seq', id], [after.seq, after.id])}
    order by seq, ${sql.ref(id)} limit ${limit}`
  const { rows } = await sql<Place & { bytes: number; removed: number }>`
    select listed.seq, listed.id, 0 as removed, listed.bytes + coalesce((
      select octet_length(v.vectors) from ${sql.table(vectors)} as v
      where v.tenant_id = ${tenantId} and v.${sql.ref(idColumn)} = listed.id and v.model = ${model ?? ''}), 0) as bytes
    from (select seq, id, ${textBytes(longColumns)} as bytes from ${sql.table(documents)} where ${rowsAfter('id')}) as listed
    union all
    select listed.seq, listed.id, 1, 0
    from (select seq, ${sql.ref(idColumn)} as id from ${sql.table(tombstones)} where ${rowsAfter(idColumn)}) as listed
    order by seq, id`.execute(queries)
  const changes = rows.map(({ removed, ...row }) => ({ ...row, isTombstone: removed === 1 }))
  return [changes.filter(({ isTombstone }) => !isTombstone), changes.filter(({ isTombstone }) => isTombstone)]
}

/** Short columns to read of changed documents. */
export interface ListedColumns {
  /** Columns of the document. */
  readonly columns: readonly string[]
  /** Further values, with their names, as in `ReadBeside`. */
  readonly beside?: ReadBeside['beside']
  readonly besideNames?: readonly string[]
  /** Columns with text, which may be long. */
  readonly longColumns: readonly string[]
}

/** A changed document with short columns, or a tombstone, whose columns are null. */
export interface ListedValues extends Place {
  readonly removed: 0 | 1
  /** Number of the change that last altered the text. */
  readonly text_seq: number
  /** Stored bytes of the text and the vectors; null where the text has not changed after the place. */
  readonly bytes: number | null
}

/**
 * Returns a tenant's changed documents after a place with some of their columns, and its tombstones, by number and id.
 * As in `listChanges`, one statement reads both at the same moment.
 * @template Row the columns and the values beside them
 * @returns at most `limit` of both together; fewer only where no more are left
 */
export async function listValues<Row>(
  { queries, portable }: Database,
  { tenantId, model }: Source,
  { documents, vectors, tombstones, idColumn }: DocumentTables,
  { columns, beside, besideNames = [], longColumns }: ListedColumns,
  { after, limit }: { readonly after: Place; readonly limit: number },
): Promise<(Row & ListedValues)[]> {
  const rowsAfter = (id: string) => sql`
    tenant_id = ${tenantId} and ${comesAfter(['seq', id], [after.seq, after.id])}
    order by seq, ${sql.ref(id)} limit ${limit}`
  const own = columns.map((column) => sql.ref(`d.${column}`))
  const further = beside === undefined ? own : [...own, beside(portable)]
  const nulls = [...columns, ...besideNames].map(() => sql`null`)
  const { rows } = await sql<Row & ListedValues>`
    select * from (
      select 0 as removed, d.seq, d.id, d.text_seq, case when d.text_seq > ${after.seq} then ${textBytes(longColumns)} + coalesce((
        select octet_length(v.vectors) from ${sql.table(vectors)} as v
        where v.tenant_id = ${tenantId} and v.${sql.ref(idColumn)} = d.id and v.model = ${model ?? ''}), 0) end as bytes,
        ${sql.join(further)}
      from ${sql.table(documents)} as d where ${rowsAfter('id')}) as listed
    union all
    select 1, seq, id, 0, 0, ${sql.join(nulls)} from (
      select seq, ${sql.ref(idColumn)} as id from ${sql.table(tombstones)} where ${rowsAfter(idColumn)}) as listed`.execute(
    queries,
  )
  return rows.sort((a, b) => a.seq - b.seq || (a.id < b.id ? -1 : 1)).slice(0, limit)
}

/** Counts a tenant's documents, no further than to `max`. */
export async function countDocuments(
  { queries }: Database,
  tenantId: string,
  { documents }: DocumentTables,
  max: number,
): Promise<number> {
  const { rows } = await sql<{ count: number }>`
    select count(*) as count from (
      select id from ${sql.table(documents)} where tenant_id = ${tenantId} limit ${max}) as listed`.execute(queries)
  return rows[0].count
}

/** Values to read together with a document's own row. */
export interface ReadBeside {
  /** Columns of the document's vectors; null when it has no vectors of the model. */
  readonly vectorColumns: readonly string[]
  /** Select list of further values about the document `d`. */
  readonly beside?: (portable: Portable) => RawBuilder<unknown>
}

/**
 * Reads documents, in no particular order, and leaves out those that have changed again after number `last`. Vectors
 * are looked up instead of joined, as in `listChanges`.
 * @template Row columns of the document, of its vectors, and the further values
 */
export async function readChanged<Row>(
  { queries, portable }: Database,
  { tenantId, model }: Source,
  { documents, vectors, idColumn }: DocumentTables,
  { vectorColumns, beside }: ReadBeside,
  { ids, last }: { readonly ids: readonly string[]; readonly last: number },
): Promise<Row[]> {
  const lookUp = (column: string) => sql`(
    select v.${sql.ref(column)} from ${sql.table(vectors)} as v
    where v.tenant_id = ${tenantId} and v.${sql.ref(idColumn)} = d.id and v.model = ${model ?? ''}) as ${sql.ref(column)}`
  const columns = [sql`d.*`, ...vectorColumns.map(lookUp)]
  if (beside !== undefined) columns.push(beside(portable))
  // `+ 0` keeps both databases from using the index of numbers, which would read everything of the tenant up to `last`.
  const isUpToLast = sql`d.seq + 0 <= ${last}`
  const { rows } = await sql<Row>`
    select ${sql.join(columns)} from ${sql.table(documents)} as d
    where d.tenant_id = ${tenantId} and ${portable.isOneOf(sql.ref('d.id'), ids)} and ${isUpToLast}`.execute(queries)
  return rows
}
