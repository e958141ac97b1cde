import { sql } from 'kysely'
import type { Database } from './database.ts'
import { textBytes } from './page.ts'

/** Where one kind of documents is kept, for its search index to read. */
interface DocumentTables {
  readonly documents: string
  readonly vectors: string
  readonly tombstones: string
  /** By which the vectors and tombstones name a document. */
  readonly idColumn: string
  /** What of a document may be long, beside its vectors. */
  readonly longColumns: readonly string[]
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
 * @param model whose vectors count; null before the tenant has any
 */
export async function listChanges(
  { queries }: Database,
  { tenantId, model }: { readonly tenantId: string; readonly model: string | null },
  { documents, vectors, tombstones, idColumn, longColumns }: DocumentTables,
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
