import { type RawBuilder, sql } from 'kysely'
import type { Database } from './database.ts'
import type { DocumentTables } from './document-tables.ts'
import { textBytes } from './page.ts'
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
 * The first `limit` changed documents of a tenant behind a place, and as many tombstones, both by number and id.
 * @param longColumns what of a document may be long, beside its vectors
 */
export async function listChanges(
  { queries }: Database,
  { tenantId, model }: Version,
  { documents, vectors, tombstones, idColumn }: DocumentTables,
  longColumns: readonly string[],
  { after, limit }: { readonly after: Place; readonly limit: number },
): Promise<[changed: Listed[], removed: Listed[]]> {
  const isBehind = (id: string) => sql`d.seq >= ${after.seq} and (d.seq > ${after.seq} or ${sql.ref(id)} > ${after.id})`
  const bytes = textBytes([...longColumns.map((name) => `d.${name}`), 'v.vectors'])
  const changed = sql<Place & { bytes: number }>`
    select d.seq, d.id, ${bytes} as bytes from ${sql.table(documents)} as d
    left join ${sql.table(vectors)} as v
      on v.tenant_id = d.tenant_id and v.${sql.ref(idColumn)} = d.id and v.model = ${model ?? ''}
    where d.tenant_id = ${tenantId} and ${isBehind('d.id')}
    order by d.seq, d.id limit ${limit}`.execute(queries)
  const removed = sql<Place>`
    select d.seq, d.${sql.ref(idColumn)} as id from ${sql.table(tombstones)} as d
    where d.tenant_id = ${tenantId} and ${isBehind(`d.${idColumn}`)}
    order by d.seq, id limit ${limit}`.execute(queries)
  const [there, gone] = await Promise.all([changed, removed])
  return [
    there.rows.map((row) => ({ ...row, isTombstone: false })),
    gone.rows.map((row) => ({ ...row, bytes: 0, isTombstone: true })),
  ]
}

/** What is read of a changed document beside its row. */
interface ReadBeside {
  /** Columns of its vectors; null where it has none of the model. */
  readonly vectorColumns: readonly string[]
  /** Named values about the document `d`, for the list of a select. */
  readonly beside?: (portable: Portable) => RawBuilder<unknown>
}

/**
 * Those of the documents that have not changed again since the number `last`, in no particular order.
 * @typeParam Row the columns of the document, of its vectors and what is read beside
 */
export async function readChanged<Row>(
  { queries, portable }: Database,
  { tenantId, model }: Version,
  { documents, vectors, idColumn }: DocumentTables,
  { vectorColumns, beside }: ReadBeside,
  { ids, last }: { readonly ids: readonly string[]; readonly last: number },
): Promise<Row[]> {
  const columns = [sql`d.*`, ...vectorColumns.map((name) => sql.ref(`v.${name}`))]
  if (beside !== undefined) columns.push(beside(portable))
  const { rows } = await sql<Row>`
    select ${sql.join(columns)} from ${sql.table(documents)} as d
    left join ${sql.table(vectors)} as v
      on v.tenant_id = d.tenant_id and v.${sql.ref(idColumn)} = d.id and v.model = ${model ?? ''}
    where d.tenant_id = ${tenantId} and ${portable.isOneOf(sql.ref('d.id'), ids)} and d.seq <= ${last}`.execute(queries)
  return rows
}
