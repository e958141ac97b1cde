/** Stores the vectors of a replica's passages. All have the same dimensions, and an index of their own. */
import { sql } from 'kysely'
import type { Database, Tx } from '../../platform/database/database.ts'
import { BATCH_BYTES_MAX } from '../indexing/change-batches.ts'
import { unitVectorText } from './columns.ts'
import { decodePassages } from './stored-document.ts'
import { rowOf, type ReplicaKey, REPLICAS, type ReplicaTables, tablesOf } from './tables-store.ts'

/** Most dimensions of vectors that pgvector's index takes. */
const INDEXED_DIMENSIONS_MAX = 4_000
/**
 * Documents that are adopted in one transaction. It is short, since a process that changes the replica waits for it.
 */
const ADOPTED_MAX = 100
/** Bytes of documents that are adopted in one transaction, as they are stored. */
const ADOPTED_BYTES_MAX = 2 * BATCH_BYTES_MAX

/** A vector of a document, which the number names. */
interface NumberedVector {
  readonly number: number
  readonly vector: Float32Array
}

/** Makes the table of passages anew, for vectors of other dimensions. */
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

/** Makes the indexes of the table. Call it after the first build, which is faster without indexes. */
export async function indexPassages(tx: Tx, { passages }: ReplicaTables, dimensions: number): Promise<void> {
  await sql`create index on ${passages} (document)`.execute(tx)
  if (dimensions <= INDEXED_DIMENSIONS_MAX) {
    await sql`create index on ${passages} using hnsw (embedding halfvec_cosine_ops)`.execute(tx)
  }
  await sql`analyze ${passages}`.execute(tx)
}

/** Stores vectors, without those that have no direction. @returns the number of stored vectors */
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
 * Adopts vectors: stores the passages of some documents that waited until the replica had the dimensions of their
 * vectors.
 * @returns whether more documents may wait
 */
export async function adoptVectors(database: Database, key: ReplicaKey): Promise<boolean> {
  const tables = tablesOf(key)
  return database.write(async (tx) => {
    const { rows: states } = await sql<{ dimensions: number }>`
      select dimensions from ${REPLICAS} where ${rowOf(key)} and is_adopting for update`.execute(tx)
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
      decodePassages(stored).map(({ vector }) => ({ number, vector })),
    )
    const count = await insertPassages(tx, tables, vectors)
    const isMore = rows.length > 0
    await sql`
      update ${REPLICAS} set passages = passages + ${count}, is_adopting = ${isMore} where ${rowOf(key)}`.execute(tx)
    return isMore
  }, key.tenantId)
}
