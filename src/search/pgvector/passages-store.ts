/** The vectors of a replica's passages. All have one length, and an index of their own. */
import { sql } from 'kysely'
import type { Database, Tx } from '../../platform/database/database.ts'
import { BATCH_BYTES_MAX } from '../indexing/change-batches.ts'
import { unitVectorText } from './columns.ts'
import { decodeDocument, wantedTerms } from './stored-document.ts'
import { isOf, type Place, REPLICAS, type ReplicaTables, tablesOf } from './tables-store.ts'

/** pgvector's index takes no vectors with more dimensions. */
const INDEXED_DIMENSIONS_MAX = 4_000
/** Documents that are adopted in one transaction, and their bytes as stored; whoever changes the replica waits for it. */
const ADOPTED_MAX = 100
const ADOPTED_BYTES_MAX = 2 * BATCH_BYTES_MAX

/** A vector of the document with this number. */
interface NumberedVector {
  readonly number: number
  readonly vector: Float32Array
}

/** Makes the table anew, for vectors of one length. */
export async function renewPassages(
  tx: Tx,
  tables: ReplicaTables,
  dimensions: number,
  isIndexed: boolean,
): Promise<void> {
  await sql`drop table if exists ${tables.passages}`.execute(tx)
  await sql`
    create table ${tables.passages} (document bigint not null, embedding halfvec(${sql.lit(dimensions)}) not null)
    `.execute(tx)
  await sql`alter table ${tables.passages} alter column embedding set storage plain`.execute(tx)
  if (isIndexed) await indexPassages(tx, tables, dimensions)
}

/** After the first build, which is faster without indexes. */
export async function indexPassages(tx: Tx, { passages }: ReplicaTables, dimensions: number): Promise<void> {
  await sql`create index on ${passages} (document)`.execute(tx)
  if (dimensions <= INDEXED_DIMENSIONS_MAX) {
    await sql`create index on ${passages} using hnsw (embedding halfvec_cosine_ops)`.execute(tx)
  }
  await sql`analyze ${passages}`.execute(tx)
}

/** A vector without a direction is left out. @returns how many were stored */
export async function insertPassages(
  tx: Tx,
  { passages }: ReplicaTables,
  vectors: readonly NumberedVector[],
): Promise<number> {
  const rows = vectors.flatMap(({ number, vector }) => {
    const text = unitVectorText(vector)
    return text === null ? [] : [{ number, text }]
  })
  if (rows.length > 0) {
    await sql`
      insert into ${passages} (document, embedding)
      select * from unnest(${rows.map(({ number }) => number)}::bigint[], ${rows.map(({ text }) => text)}::halfvec[])
      `.execute(tx)
  }
  return rows.length
}

/**
 * Stores the passages of some documents that waited until the replica had the length of their vectors.
 * @returns whether there may be more of them
 */
export async function adoptVectors(database: Database, place: Place): Promise<boolean> {
  const tables = tablesOf(place)
  return database.write(async (tx) => {
    const { rows: states } = await sql<{ dimensions: number }>`
      select dimensions from ${REPLICAS} where ${isOf(place)} and is_adopting for update`.execute(tx)
    if (states.length === 0) return false
    const { rows } = await sql<{ number: number; stored: Buffer }>`
      with waiting as (
        select m.document, octet_length(d.stored) as bytes
        from ${tables.misfits} as m join ${tables.documents} as d on d.number = m.document
        where m.dimensions = ${states[0].dimensions} order by m.document limit ${ADOPTED_MAX}
      ), summed as (
        select document, sum(bytes) over (order by document) - bytes as before from waiting
      ), adopted as (
        delete from ${tables.misfits} where document in (
          select document from summed where before < ${ADOPTED_BYTES_MAX}
        ) returning document
      )
      select d.number, d.stored from ${tables.documents} as d join adopted on adopted.document = d.number`.execute(tx)
    const vectors = rows.flatMap(({ number, stored }) =>
      decodeDocument(stored, wantedTerms([])).document.passages.map(({ vector }) => ({ number, vector })),
    )
    const count = await insertPassages(tx, tables, vectors)
    const isMore = rows.length > 0
    await sql`
      update ${REPLICAS} set passages = passages + ${count}, is_adopting = ${isMore} where ${isOf(place)}`.execute(tx)
    return isMore
  }, place.tenantId)
}
