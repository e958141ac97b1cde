/** The tables of replicas: made, filled and dropped. */
import { sql } from 'kysely'
import type { Database, Queries, Tx } from '../../platform/database/database.ts'
import { REPLICA_SCHEMA } from '../../platform/database/replica-schema.ts'
import type { IndexDefinition, IndexVersion } from '../engine.ts'
import type { PreparedDocument } from '../memory/segment.ts'
import { amountsOf, keysOf } from './keys.ts'
import { lexemesOf } from './lexemes.ts'
import { FORMAT, numberColumn, type ReplicaTables, tablesOf } from './tables-store.ts'
import { sortKeyOf, isSampled, unitVectorText } from './columns.ts'
import { encodeDocument } from './stored-document.ts'

const REPLICAS = sql`${sql.id(REPLICA_SCHEMA, 'replicas')}`
/** pgvector's index takes no vectors with more dimensions. */
const INDEXED_DIMENSIONS_MAX = 4_000
/** Documents in one statement. */
const CHUNK_MAX = 100
/** Any number that nothing else in the database locks. */
const SCHEMA_LOCK = 7_204_115_391

type Place = Omit<IndexVersion, 'watermark'>

/** How far a replica is. */
export interface ReplicaState {
  /** Every change with a number up to here is applied. */
  readonly reached: number
  /** Whether it was built to its end, and has its indexes. */
  readonly isReady: boolean
  readonly dimensions: number | null
  /** Of `IndexHistory`; null until the replica is ready. */
  readonly mark: string | null
  /** Ids of documents that cannot be found. */
  readonly unreadable: readonly string[]
}

/** A change as a replica stores it. */
export type ReplicaChange =
  | { readonly seq: number; readonly put: PreparedDocument }
  | { readonly seq: number; readonly remove: string; readonly isUnreadable: boolean }

/** Tenants with replicas, whether they are still there or not. */
export async function listReplicated({ queries, portable }: Database): Promise<readonly string[]> {
  if (portable.name !== 'postgres' || !(await hasSchema(queries))) return []
  const { rows } = await sql<{ tenantId: string }>`
    select distinct tenant_id as "tenantId" from ${REPLICAS}`.execute(queries)
  return rows.map(({ tenantId }) => tenantId)
}

async function hasSchema(queries: Queries): Promise<boolean> {
  const { rows } = await sql<{ isThere: boolean }>`
    select to_regclass(${`${REPLICA_SCHEMA}.replicas`}) is not null as "isThere"`.execute(queries)
  return rows[0].isThere
}

/** @throws the driver's error where the role may not add the extension or a schema */
export async function prepareSchema(database: Database): Promise<void> {
  await database.write(async (tx) => {
    await sql`select pg_advisory_xact_lock(${SCHEMA_LOCK})`.execute(tx)
    await sql`create extension if not exists vector`.execute(tx)
    await sql`create schema if not exists ${sql.id(REPLICA_SCHEMA)}`.execute(tx)
    await sql`
      create table if not exists ${REPLICAS} (
        tenant_id text collate "C" not null,
        index_name text collate "C" not null,
        model text collate "C" not null,
        format integer not null,
        reached bigint not null default 0,
        is_ready boolean not null default false,
        dimensions integer,
        mark text,
        unreadable text[] not null default '{}',
        primary key (tenant_id, index_name, model)
      )`.execute(tx)
  })
}

/** Null without a replica, or where another version of the program made it. */
export async function findState(queries: Queries, place: Place): Promise<ReplicaState | null> {
  const { rows } = await sql<ReplicaState & { format: number }>`
    select reached, is_ready as "isReady", dimensions, mark, unreadable, format from ${REPLICAS}
    where ${isOf(place)}`.execute(queries)
  return rows[0]?.format === FORMAT ? rows[0] : null
}

/** A model whose replica of the same index is ready; undefined without one. */
export async function findReadyModel(queries: Queries, place: Place): Promise<string | null | undefined> {
  const { rows } = await sql<{ model: string }>`
    select model from ${REPLICAS}
    where tenant_id = ${place.tenantId} and index_name = ${place.index} and model <> ${modelOf(place)} and is_ready
      and format = ${FORMAT}
    order by model desc limit 1`.execute(queries)
  return rows.length === 0 ? undefined : rows[0].model || null
}

/** Makes an empty replica, in place of one that another version of the program made, unless somebody else was faster. */
export async function createReplica(database: Database, definition: IndexDefinition, place: Place): Promise<void> {
  const { documents, terms, name } = tablesOf(place)
  await database.write(async (tx) => {
    await sql`select pg_advisory_xact_lock(hashtextextended(${name}, ${SCHEMA_LOCK}))`.execute(tx)
    if ((await findState(tx, place)) !== null) return
    await dropTables(tx, place)
    const numbers = definition.numberFields.map(
      (field) => sql`${sql.id(numberColumn(definition, field))} double precision,`,
    )
    await sql`
      create table ${documents} (
        number bigint generated always as identity primary key,
        id text collate "C" not null unique,
        seq bigint not null,
        changed_at double precision not null,
        part "char" not null,
        length double precision not null,
        is_sampled boolean not null,
        keys text[] collate "C" not null,
        amounts jsonb not null,
        ${sql.join(numbers, sql` `)}
        sort_text text collate "C" not null,
        terms tsvector not null,
        stored bytea not null
      )`.execute(tx)
    await sql`alter table ${documents} alter column stored set storage external`.execute(tx)
    await sql`create table ${terms} (term text collate "C" primary key, documents integer not null)`.execute(tx)
    await sql`
      insert into ${REPLICAS} (tenant_id, index_name, model, format)
      values (${place.tenantId}, ${place.index}, ${modelOf(place)}, ${FORMAT})`.execute(tx)
  }, place.tenantId)
}

/**
 * Applies changes, and moves on.
 * @param from what the replica has reached; nothing happens if it has meanwhile reached something else
 * @returns false when nothing happened, also while another process changes the replica
 */
export async function applyChanges(
  database: Database,
  definition: IndexDefinition,
  place: Place,
  changes: readonly ReplicaChange[],
  { from, to }: { readonly from: number; readonly to: number },
): Promise<boolean> {
  const tables = tablesOf(place)
  return database.write(async (tx) => {
    const { rows } = await sql<ReplicaState>`
      select reached, is_ready as "isReady", dimensions, unreadable from ${REPLICAS}
      where ${isOf(place)} for update skip locked`.execute(tx)
    const [state] = rows
    if (state?.reached !== from) return false
    const dimensions = state.dimensions ?? dimensionsOf(changes)
    if (dimensions !== null && state.dimensions === null) await createPassages(tx, tables, dimensions, state.isReady)
    const latest = new Map(changes.map((change) => ['put' in change ? change.put.document.id : change.remove, change]))
    const puts: (ReplicaChange & { put: PreparedDocument })[] = []
    const unreadable = new Set(state.unreadable)
    for (const [id, change] of latest) {
      unreadable.delete(id)
      if ('put' in change && hasFittingVectors(change.put, dimensions)) puts.push(change)
      else if ('put' in change || change.isUnreadable) unreadable.add(id)
    }
    await removeDocuments(tx, tables, [...latest.keys()], dimensions !== null, state.isReady)
    for (let at = 0; at < puts.length; at += CHUNK_MAX) {
      await insertDocuments(tx, definition, tables, puts.slice(at, at + CHUNK_MAX), state.isReady)
    }
    await sql`
      update ${REPLICAS} set reached = ${to}, dimensions = ${dimensions}, unreadable = ${[...unreadable]}::text[]
      where ${isOf(place)}`.execute(tx)
    return true
  }, place.tenantId)
}

/** Ends the first build: makes the indexes, which is faster now than row by row. @returns false as `applyChanges` does */
export async function finishBuild(database: Database, place: Place, mark: string, reached: number): Promise<boolean> {
  const { documents, terms, name } = tablesOf(place)
  return database.write(async (tx) => {
    const { rows } = await sql<ReplicaState>`
      select reached, is_ready as "isReady", dimensions from ${REPLICAS}
      where ${isOf(place)} for update skip locked`.execute(tx)
    const [state] = rows
    if (state?.reached !== reached || state.isReady) return false
    await sql`set local statement_timeout = 0`.execute(tx)
    await sql`
      insert into ${terms} (term, documents)
      select word, ndoc from ts_stat(${`select terms from "${REPLICA_SCHEMA}"."documents_${name}"`})`.execute(tx)
    // Rows that wait to get into the index are read with every word, and keep the planner from using it.
    await sql`create index on ${documents} using gin (terms) with (fastupdate = off)`.execute(tx)
    await sql`create index on ${documents} using gin (terms) with (fastupdate = off) where is_sampled`.execute(tx)
    await sql`create index on ${documents} (number) where is_sampled`.execute(tx)
    await sql`create index on ${documents} using gin (keys)`.execute(tx)
    await sql`create index on ${documents} (changed_at, id)`.execute(tx)
    if (state.dimensions !== null) await indexPassages(tx, tablesOf(place), state.dimensions)
    await sql`analyze ${documents}`.execute(tx)
    await sql`update ${REPLICAS} set is_ready = true, mark = ${mark} where ${isOf(place)}`.execute(tx)
    return true
  }, place.tenantId)
}

/** Drops the replicas of a tenant, all but one of an index if that is named. */
export async function dropReplicas(database: Database, tenantId: string, except: Place | null = null): Promise<void> {
  const { rows } = await sql<{ index: string; model: string }>`
    select index_name as index, model from ${REPLICAS} where tenant_id = ${tenantId}`.execute(database.queries)
  for (const { index, model } of rows) {
    if (except !== null && (index !== except.index || model === modelOf(except))) continue
    await database.write((tx) => dropTables(tx, { tenantId, index, model: model === '' ? null : model }), tenantId)
  }
}

/** Sizes of the replicas, of one tenant or of all. Documents are as many as PostgreSQL estimates. */
export async function countReplicas(
  queries: Queries,
  tenantId: string | null,
): Promise<{ indexes: number; documents: number; passages: number; unreadable: number }> {
  const { rows } = await sql<{ tenant: string; index: string; model: string; unreadable: number }>`
    select tenant_id as tenant, index_name as index, model, cardinality(unreadable) as unreadable from ${REPLICAS}
    where ${tenantId}::text is null or tenant_id = ${tenantId}`.execute(queries)
  const sum = { indexes: rows.length, documents: 0, passages: 0, unreadable: 0 }
  for (const { tenant, index, model, unreadable } of rows) {
    const { name } = tablesOf({ tenantId: tenant, index, model: model === '' ? null : model })
    const counted = await sql<{ documents: number; passages: number }>`
      select
        coalesce((select greatest(reltuples, 0) from pg_class where oid = to_regclass(${`${REPLICA_SCHEMA}.documents_${name}`})), 0)
          as documents,
        coalesce((select greatest(reltuples, 0) from pg_class where oid = to_regclass(${`${REPLICA_SCHEMA}.passages_${name}`})), 0)
          as passages`.execute(queries)
    sum.documents += counted.rows[0].documents
    sum.passages += counted.rows[0].passages
    sum.unreadable += unreadable
  }
  return sum
}

function isOf(place: Place) {
  return sql`tenant_id = ${place.tenantId} and index_name = ${place.index} and model = ${modelOf(place)}`
}

/** Keys have no null. */
function modelOf({ model }: Place): string {
  return model ?? ''
}

async function dropTables(tx: Tx, place: Place): Promise<void> {
  const { documents, passages, terms } = tablesOf(place)
  for (const table of [passages, documents, terms]) await sql`drop table if exists ${table}`.execute(tx)
  await sql`delete from ${REPLICAS} where ${isOf(place)}`.execute(tx)
}

async function createPassages(tx: Tx, tables: ReplicaTables, dimensions: number, isIndexed: boolean): Promise<void> {
  await sql`
    create table ${tables.passages} (document bigint not null, embedding halfvec(${sql.lit(dimensions)}) not null)
    `.execute(tx)
  await sql`alter table ${tables.passages} alter column embedding set storage plain`.execute(tx)
  if (isIndexed) await indexPassages(tx, tables, dimensions)
}

async function indexPassages(tx: Tx, { passages }: ReplicaTables, dimensions: number): Promise<void> {
  await sql`create index on ${passages} (document)`.execute(tx)
  if (dimensions <= INDEXED_DIMENSIONS_MAX) {
    await sql`create index on ${passages} using hnsw (embedding halfvec_cosine_ops)`.execute(tx)
  }
  await sql`analyze ${passages}`.execute(tx)
}

/** All vectors of a replica have the same number of dimensions; the first stored document sets it. */
function dimensionsOf(changes: readonly ReplicaChange[]): number | null {
  for (const change of changes) {
    const length = 'put' in change ? (change.put.document.passages[0]?.vector.length ?? 0) : 0
    if (length > 0) return length
  }
  return null
}

function hasFittingVectors({ document }: PreparedDocument, dimensions: number | null): boolean {
  return document.passages.every(({ vector }) => vector.length === dimensions && vector.every(Number.isFinite))
}

async function removeDocuments(
  tx: Tx,
  { documents, passages, terms }: ReplicaTables,
  ids: readonly string[],
  hasPassages: boolean,
  hasTerms: boolean,
): Promise<void> {
  const { rows } = await sql<{ number: number }>`
    select number from ${documents} where id = any(${ids}::text[])`.execute(tx)
  if (rows.length === 0) return
  const numbers = rows.map(({ number }) => number)
  if (hasPassages) await sql`delete from ${passages} where document = any(${numbers}::bigint[])`.execute(tx)
  if (hasTerms) {
    await sql`
      update ${terms} as t set documents = t.documents - lost.count
      from (
        select word, count(*) as count from ${documents}, unnest(tsvector_to_array(terms)) as word
        where number = any(${numbers}::bigint[]) group by word
      ) as lost
      where t.term = lost.word`.execute(tx)
    // No word stays that no document has.
    await sql`
      delete from ${terms} where documents <= 0 and term = any((
        select array_agg(word) from ${documents}, unnest(tsvector_to_array(terms)) as word
        where number = any(${numbers}::bigint[])
      )::text[])`.execute(tx)
  }
  await sql`delete from ${documents} where number = any(${numbers}::bigint[])`.execute(tx)
}

async function insertDocuments(
  tx: Tx,
  definition: IndexDefinition,
  { documents, passages, terms }: ReplicaTables,
  puts: readonly { readonly seq: number; readonly put: PreparedDocument }[],
  hasTerms: boolean,
): Promise<void> {
  const { numberFields } = definition
  const columns = numberFields.map((field) => sql`${sql.id(numberColumn(definition, field))},`)
  const rows = puts.map(({ seq, put }) => {
    const { document, partition, frequencies, length } = put
    const lexemes = lexemesOf(partition, frequencies)
    const numbers = numberFields.map((field) => sql`${document.numbers[field] ?? null}::float8,`)
    return sql`(${document.id}, ${seq}::bigint, ${document.changedAt}::float8, ${partition[0]}, ${length}::float8,
      ${isSampled(document.id)}::bool, ${keysOf(definition, document)}::text[],
      ${JSON.stringify(amountsOf(document))}::jsonb, ${sql.join(numbers, sql` `)} ${sortKeyOf(document)},
      array_to_tsvector(${lexemes}::text[]), ${encodeDocument(put)}::bytea)`
  })
  const inserted = await sql<{ number: number; id: string }>`
    insert into ${documents}
      (id, seq, changed_at, part, length, is_sampled, keys, amounts, ${sql.join(columns, sql` `)} sort_text, terms, stored)
    values ${sql.join(rows)} returning number, id`.execute(tx)
  const numbers = new Map(inserted.rows.map(({ number, id }) => [id, number]))
  const vectors = puts.flatMap(({ put: { document } }) =>
    document.passages.flatMap(({ vector }) => {
      const text = unitVectorText(vector)
      return text === null ? [] : [{ number: numbers.get(document.id)!, text }]
    }),
  )
  if (vectors.length > 0) {
    await sql`
      insert into ${passages} (document, embedding)
      select * from unnest(${vectors.map(({ number }) => number)}::bigint[], ${vectors.map(({ text }) => text)}::halfvec[])
      `.execute(tx)
  }
  if (!hasTerms) return
  await sql`
    insert into ${terms} as t (term, documents)
    select word, count(*) from ${documents}, unnest(tsvector_to_array(terms)) as word
    where number = any(${[...numbers.values()]}::bigint[]) group by word order by word
    on conflict (term) do update set documents = t.documents + excluded.documents`.execute(tx)
}
