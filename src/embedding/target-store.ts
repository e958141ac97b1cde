import { sql } from 'kysely'
import type { EmbeddedKind, VectorColumns } from './embedded-kind.ts'
import { PASSAGE_BYTES, type TextsToRead, WHOLE_PASSAGE_BYTES } from './move-cost.ts'
import type { EmbeddingTarget } from './targets.ts'
import { PASSAGE_SIZES } from './passages.ts'
import { encodeHashes, SOME_WAIT } from './text-hashes.ts'
import { type ReadVectors, readVectors, saveVectors } from './vector-store.ts'

const NONE_STORED: ReadonlyMap<string, ReadVectors> = new Map()

/** Makes a kind of documents known to the embedding queue. */
export function storedTarget<Row extends { readonly id: string }, Vectors extends VectorColumns>(
  kind: EmbeddedKind<Row, Vectors>,
): EmbeddingTarget {
  const { tables } = kind
  const documents = sql.table(tables.documents)
  const vectors = sql.table(tables.vectors)
  const id = sql.ref(tables.idColumn)
  const version = sql.ref(kind.versionColumn)
  /** Holds for documents without vectors of a model, and for those of which texts wait to be read. */
  const isLacking = sql`(v.${id} is null or substr(v.text_hashes, 1, ${sql.lit(SOME_WAIT.length)}) = ${SOME_WAIT})`
  return {
    kind: kind.name,
    documents: tables.documents,

    async load(db, tenantId, ids, { id: model, passageSizes = PASSAGE_SIZES, standIn }) {
      const columns = sql.join(kind.textColumns.map((name) => sql.ref(name)))
      const { rows } = await sql<Row>`
        select id, ${version}, ${columns} from ${documents}
        where tenant_id = ${tenantId} and id in (${sql.join(ids)})`.execute(db)
      const stored =
        standIn === undefined
          ? NONE_STORED
          : await readVectors(
              db,
              kind,
              tenantId,
              model,
              rows.map((row) => row.id),
            )
      return rows.map((row) => ({
        id: row.id,
        version: Number(row[kind.versionColumn]),
        stored: stored.get(row.id) ?? null,
        ...kind.textsOf(row, passageSizes),
      }))
    },

    async save(tx, tenantId, model, item, { vectors: embedded, hashes, isSearched }, seq) {
      const { rows } = await sql<{ version: number; model: string | null }>`
        select d.${version} as version, t.embedding_model as model from ${documents} as d
        join tenants as t on t.tenant_id = d.tenant_id
        where d.tenant_id = ${tenantId} and d.id = ${item.id}`.execute(tx)
      if (rows[0]?.version !== item.version) return false
      const columns = { ...item.encode(embedded), ...(hashes === null ? {} : { text_hashes: encodeHashes(hashes) }) }
      await saveVectors(tx, tables, tenantId, model, [{ id: item.id, columns }])
      // Search does not use vectors of a model that the tenant is still moving to, so the index needs no change.
      if (rows[0].model !== model || !isSearched) return true
      await sql`
        update ${documents} set embedding_model = ${model}, seq = ${seq}, text_seq = ${seq}
        where tenant_id = ${tenantId} and id = ${item.id}`.execute(tx)
      return true
    },

    async missing(db, tenantId, model, afterId, limit) {
      const { rows } = await sql<{ id: string }>`
        select d.id from ${documents} as d
        left join ${vectors} as v on v.tenant_id = d.tenant_id and v.${id} = d.id and v.model = ${model}
        where d.tenant_id = ${tenantId} and d.id > ${afterId} and ${isLacking}
        order by d.id limit ${limit}`.execute(db)
      return rows.map((row) => row.id)
    },

    async count(db, tenantId, model) {
      const { rows } = await sql<{ items: number; embedded: number }>`
        select (select count(*) from ${documents} where tenant_id = ${tenantId}) as items,
          (select count(*) from ${vectors} where tenant_id = ${tenantId} and model = ${model}) as embedded`.execute(db)
      return rows[0]
    },

    async textsToRead(db, tenantId, model) {
      const lengths = kind.textColumns.map((name) => sql`coalesce(octet_length(${sql.ref(`d.${name}`)}), 0)`)
      const { rows } = await sql<TextsToRead>`
        select count(*) as items, cast(coalesce(sum(bytes), 0) as bigint) as bytes, cast(coalesce(sum(
          case when bytes <= ${sql.lit(WHOLE_PASSAGE_BYTES)} then 1
            else (bytes + ${sql.lit(PASSAGE_BYTES - 1)}) / ${sql.lit(PASSAGE_BYTES)} end), 0) as bigint) as passages
        from (
          select ${sql.join(lengths, sql` + `)} as bytes from ${documents} as d
          left join ${vectors} as v on v.tenant_id = d.tenant_id and v.${id} = d.id and v.model = ${model}
          where d.tenant_id = ${tenantId} and ${isLacking}
        ) as texts`.execute(db)
      return rows[0]
    },

    async lengthOfVectors(db, tenantId, model) {
      const columns = sql.join(kind.textColumns.map((name) => sql.ref(`d.${name}`)))
      const passages = sql.join(kind.passageColumns.map((name) => sql.ref(`v.${name}`)))
      const { rows } = await sql<Row & Vectors>`
        select d.id, ${columns}, ${passages} from ${vectors} as v
        join ${documents} as d on d.tenant_id = v.tenant_id and d.id = v.${id}
        where v.tenant_id = ${tenantId} and v.model = ${model} and length(v.vectors) > 0
        limit 1`.execute(db)
      return rows.length === 0 ? null : (kind.passagesOf(rows[0], rows[0])[0]?.vector.length ?? null)
    },

    async activate(tx, tenantId, model) {
      await sql`
        update ${documents} set embedding_model = case when exists (
          select 1 from ${vectors} as v
          where v.tenant_id = ${documents}.tenant_id and v.${id} = ${documents}.id and v.model = ${model}
        ) then ${model} end
        where tenant_id = ${tenantId}`.execute(tx)
    },

    async hasOthers(db, tenantId, model) {
      const { rows } = await sql`
        select 1 from ${vectors} where tenant_id = ${tenantId} and model != ${model} limit 1`.execute(db)
      return rows.length > 0
    },

    async forgetOthers(tx, tenantId, model, limit) {
      const { numAffectedRows = 0n } = await sql`
        delete from ${vectors} where tenant_id = ${tenantId} and (${id}, model) in (
          select ${id}, model from ${vectors} where tenant_id = ${tenantId} and model != ${model} limit ${limit}
        )`.execute(tx)
      return Number(numAffectedRows)
    },

    async forget(tx, tenantId, model, seq, limit) {
      const { rows } = await sql<{ id: string }>`
        select ${id} as id from ${vectors} where tenant_id = ${tenantId} and model = ${model} limit ${limit}`.execute(
        tx,
      )
      if (rows.length === 0) return 0
      const ids = sql.join(rows.map((row) => row.id))
      await sql`
        delete from ${vectors} where tenant_id = ${tenantId} and model = ${model} and ${id} in (${ids})`.execute(tx)
      await sql`
        update ${documents} set embedding_model = null, seq = ${seq}, text_seq = ${seq}
        where tenant_id = ${tenantId} and id in (${ids}) and embedding_model = ${model}`.execute(tx)
      return rows.length
    },
  }
}
