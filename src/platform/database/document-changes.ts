import { type RawBuilder, sql } from 'kysely'
import type { Database } from './database.ts'
import type { DocumentTables } from './document-tables.ts'
import { comesAfter, textBytes } from './page.ts'
import type { Portable } from './portable.ts'

/** Whose changes are read. */
interface Version {
  readonly tenantId: string
  /** Whose vectors count; null before the tenant has any. */
  readonly model: string | null
}

interface Place {
  readonly seq: number
  readonly id: string
}

interface Listed extends Place {
  /** Of the long columns and the vectors, as they are stored. */
  readonly bytes: number
  readonly isTombstone: boolean
}

/**
 * The first `limit` changed documents of a tenant behind a place, and as many tombstones, both by number and id. One
 * statement, so that both are as of one moment: a document that goes between two statements would be in neither. The
 * vectors of each document are looked up, not joined: PostgreSQL without statistics, as in the minute after an import,
 * would compare every listed document with all the vectors of the tenant.
 * @param longColumns what of a document may be long, beside its vectors
 */
export async function listChanges(
  { queries }: Database,
  { tenantId, model }: Version,
  { documents, vectors, tombstones, idColumn }: DocumentTables,
  longColumns: readonly string[],
  { after, limit }: { readonly after: Place; readonly limit: number },
): Promise<[changed: Listed[], removed: Listed[]]> {
  const behind = (id: string) => sql`
    tenant_id = ${tenantId} and ${comesAfter(['seq', id], [after.seq, after.id])}
    order by seq, ${sql.ref(id)} limit ${limit}`
  const { rows } = await sql<Place & { bytes: number; removed: number }>`
    select listed.seq, listed.id, 0 as removed, listed.bytes + coalesce((
      select octet_length(v.vectors) from ${sql.table(vectors)} as v
      where v.tenant_id = ${tenantId} and v.${sql.ref(idColumn)} = listed.id and v.model = ${model ?? ''}), 0) as bytes
    from (select seq, id, ${textBytes(longColumns)} as bytes from ${sql.table(documents)} where ${behind('id')}) as listed
    union all
    select listed.seq, listed.id, 1, 0
    from (select seq, ${sql.ref(idColumn)} as id from ${sql.table(tombstones)} where ${behind(idColumn)}) as listed
    order by seq, id`.execute(queries)
  const listed = rows.map(({ removed, ...row }) => ({ ...row, isTombstone: removed === 1 }))
  return [listed.filter(({ isTombstone }) => !isTombstone), listed.filter(({ isTombstone }) => isTombstone)]
}

/** What is read of a changed document beside its row. */
interface ReadBeside {
  /** Columns of its vectors; null where it has none of the model. */
  readonly vectorColumns: readonly string[]
  /** Named values about the document `d`, for the list of a select. */
  readonly beside?: (portable: Portable) => RawBuilder<unknown>
}

/**
 * Those of the documents that have not changed again since the number `last`, in no particular order. Vectors are looked
 * up for the reason that `listChanges` has.
 * @typeParam Row the columns of the document, of its vectors and what is read beside
 */
export async function readChanged<Row>(
  { queries, portable }: Database,
  { tenantId, model }: Version,
  { documents, vectors, idColumn }: DocumentTables,
  { vectorColumns, beside }: ReadBeside,
  { ids, last }: { readonly ids: readonly string[]; readonly last: number },
): Promise<Row[]> {
  const lookUp = (column: string) => sql`(
    select v.${sql.ref(column)} from ${sql.table(vectors)} as v
    where v.tenant_id = ${tenantId} and v.${sql.ref(idColumn)} = d.id and v.model = ${model ?? ''}) as ${sql.ref(column)}`
  const columns = [sql`d.*`, ...vectorColumns.map(lookUp)]
  if (beside !== undefined) columns.push(beside(portable))
  // With the bare column, both databases may go along the index of numbers, through all that the tenant has below it.
  const isUpToLast = sql`d.seq + 0 <= ${last}`
  const { rows } = await sql<Row>`
    select ${sql.join(columns)} from ${sql.table(documents)} as d
    where d.tenant_id = ${tenantId} and ${portable.isOneOf(sql.ref('d.id'), ids)} and ${isUpToLast}`.execute(queries)
  return rows
}
