/** Makes, fills and drops the tables of replicas. */
import { sql } from 'kysely'
import type { Database, Queries, Tx } from '../../platform/database/database.ts'
import { REPLICA_SCHEMA } from '../../platform/database/replica-schema.ts'
import type { IndexDefinition } from '../engine.ts'
import { awaitedCount } from './awaited-store.ts'
import { hasCurrentTable } from './erasures-store.ts'
import type { ListedReplica } from './listed-replica.ts'
import { indexPassages } from './passages-store.ts'
import { findState, lockState } from './state-store.ts'
import { FORMAT, rowOf, modelOf, numberColumn, type ReplicaKey, REPLICAS, tablesOf } from './tables-store.ts'

/** Number of the advisory lock; nothing else in the database uses it. */
const SCHEMA_LOCK = 7_204_115_391
/** Most kilobytes of terms that wait outside their index. */
const PENDING_KB = 1_024
/** Time without a search after which a replica counts as idle. Processes that need a replica note their searches. */
const IDLE_AFTER = '5 minutes'
/** Time between two notes that a replica is searched. */
const NOTED_EVERY = '1 minute'

/**
 * Number of changes with which a replica begins: the milliseconds since 1970, so that a replica that is built again
 * goes on behind the former one.
 */
const FIRST_CHANGES = sql`(extract(epoch from clock_timestamp()) * 1000)::bigint`

/** Returns all replicas of all tenants; none where the database cannot have any. */
export async function listReplicas({ queries, portable }: Database): Promise<readonly ListedReplica[]> {
  if (portable.name !== 'postgres' || !(await hasSchema(queries))) return []
  // A table of an earlier version of the program has no `searched_at` until `prepareSchema`, so it is read through
  // JSON.
  const { rows } = await sql<ListedReplica & { model: string }>`
    select tenant_id as "tenantId", index_name as index, model, reached, is_ready and format = ${FORMAT} as "isReady",
      coalesce((to_jsonb(r) ->> 'searched_at')::timestamptz < now() - interval ${sql.lit(IDLE_AFTER)}, true) as "isIdle"
    from ${REPLICAS} as r order by tenant_id, index_name, model`.execute(queries)
  return rows.map((row) => ({ ...row, model: row.model || null }))
}

/** Notes that the replicas of these indexes are searched, unless that was noted lately. */
export async function noteSearched(
  database: Database,
  indexes: readonly Pick<ReplicaKey, 'tenantId' | 'index'>[],
): Promise<void> {
  for (const { tenantId, index } of indexes) {
    // A row that another process locks is skipped; the next search notes it.
    await database.write(
      (tx) =>
        sql`
        with free as (
          select model from ${REPLICAS}
          where tenant_id = ${tenantId} and index_name = ${index} and is_ready
            and (searched_at is null or searched_at < now() - interval ${sql.lit(NOTED_EVERY)})
          for update skip locked
        )
        update ${REPLICAS} set searched_at = now()
        where tenant_id = ${tenantId} and index_name = ${index} and model in (select model from free)`.execute(tx),
      tenantId,
    )
  }
}

async function hasSchema(queries: Queries): Promise<boolean> {
  const { rows } = await sql<{ isThere: boolean }>`
    select to_regclass(${`${REPLICA_SCHEMA}.replicas`}) is not null as "isThere"`.execute(queries)
  return rows[0].isThere
}

/**
 * Makes the schema and the table of replicas where they are missing.
 * @throws the driver's error where the role may not
 */
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
        passages bigint not null default 0,
        is_adopting boolean not null default false,
        mark text,
        erasures text,
        unreadable text[] not null default '{}',
        searched_at timestamptz,
        values_reached bigint not null default 0,
        marked bigint not null default 0,
        changes bigint not null default ${FIRST_CHANGES},
        primary key (tenant_id, index_name, model)
      )`.execute(tx)
    if (await hasCurrentTable(tx)) return
    // Earlier versions made the table without these columns. Their replicas have another format and are built again.
    await sql`
      alter table ${REPLICAS} add column if not exists passages bigint not null default 0,
        add column if not exists is_adopting boolean not null default false,
        add column if not exists values_reached bigint not null default 0,
        add column if not exists marked bigint not null default 0,
        add column if not exists changes bigint not null default ${FIRST_CHANGES},
        add column if not exists erasures text, add column if not exists searched_at timestamptz`.execute(tx)
  })
}

/**
 * Returns another model whose replica of the same index is ready, null for the one without vectors; undefined without
 * one.
 */
export async function findReadyModel(queries: Queries, key: ReplicaKey): Promise<string | null | undefined> {
  const { rows } = await sql<{ model: string }>`
    select model from ${REPLICAS}
    where tenant_id = ${key.tenantId} and index_name = ${key.index} and model <> ${modelOf(key)} and is_ready
      and format = ${FORMAT}
    order by model desc limit 1`.execute(queries)
  return rows.length === 0 ? undefined : rows[0].model || null
}

/** Makes an empty replica in place of one of another format, unless another process has made one. */
export async function createReplica(database: Database, definition: IndexDefinition, key: ReplicaKey): Promise<void> {
  const { documents, misfits, terms, awaited, name } = tablesOf(key)
  await database.write(async (tx) => {
    await sql`select pg_advisory_xact_lock(hashtextextended(${name}, ${SCHEMA_LOCK}))`.execute(tx)
    if ((await findState(tx, key)) !== null) return
    await dropTables(tx, key)
    const numbers = definition.numberFields.map(
      (field) => sql`${sql.id(numberColumn(definition, field))} double precision,`,
    )
    await sql`
      create table ${documents} (
        number bigint generated always as identity primary key,
        id text collate "C" not null unique,
        seq bigint not null,
        text_seq bigint not null,
        changed_at double precision not null,
        part "char" not null,
        length double precision not null,
        is_sampled boolean not null,
        keys text[] collate "C" not null,
        amounts jsonb not null,
        ${sql.join(numbers, sql` `)}
        sort_text text collate "C" not null,
        terms tsvector not null,
        own_values text not null,
        stored bytea not null
      )`.execute(tx)
    await sql`alter table ${documents} alter column stored set storage external`.execute(tx)
    await sql`create table ${misfits} (document bigint primary key, dimensions integer not null)`.execute(tx)
    await sql`create table ${terms} (term text collate "C" primary key, documents integer not null)`.execute(tx)
    await sql`
      create table ${awaited} (
        id text collate "C" primary key,
        since bigint not null,
        seq bigint not null,
        text_seq bigint not null,
        bytes bigint,
        is_gone boolean not null default false
      )`.execute(tx)
    await sql`create index on ${awaited} (since, seq, id)`.execute(tx)
    await sql`
      insert into ${REPLICAS} (tenant_id, index_name, model, format)
      values (${key.tenantId}, ${key.index}, ${modelOf(key)}, ${FORMAT})`.execute(tx)
  }, key.tenantId)
}

/**
 * Ends the first build: makes the indexes, which is faster at the end than row by row.
 * @returns false as `applyChanges`
 */
export async function finishBuild(database: Database, key: ReplicaKey, reached: number): Promise<boolean> {
  const { documents, terms, termIndexes, name } = tablesOf(key)
  return database.write(async (tx) => {
    const state = await lockState(tx, key)
    if (state?.reached !== reached || state.isReady) return false
    await sql`set local statement_timeout = 0`.execute(tx)
    await sql`
      insert into ${terms} (term, documents)
      select word, ndoc from ts_stat(${`select terms from "${REPLICA_SCHEMA}"."documents_${name}"`})`.execute(tx)
    // The rows of a transaction wait in a list of the index and enter the index together (`indexTerms`), which takes a
    // tenth of the time. The bound keeps the list short for the searches of the moment, which read all of it.
    const options = sql`with (fastupdate = on, gin_pending_list_limit = ${sql.lit(PENDING_KB)})`
    await sql`create index ${sql.id(termIndexes.all)} on ${documents} using gin (terms) ${options}`.execute(tx)
    await sql`
      create index ${sql.id(termIndexes.sampled)} on ${documents} using gin (terms) ${options} where is_sampled
      `.execute(tx)
    await sql`create index on ${documents} (number) where is_sampled`.execute(tx)
    await sql`create index on ${documents} using gin (keys)`.execute(tx)
    await sql`create index on ${documents} (changed_at, id)`.execute(tx)
    if (state.dimensions !== null) await indexPassages(tx, tablesOf(key), state.dimensions)
    await sql`analyze ${documents}`.execute(tx)
    await sql`update ${REPLICAS} set is_ready = true where ${rowOf(key)}`.execute(tx)
    return true
  }, key.tenantId)
}

/** Drops the replicas of a tenant. @param except keeps this replica, and those of other indexes */
export async function dropReplicas(
  database: Database,
  tenantId: string,
  except: ReplicaKey | null = null,
): Promise<void> {
  const { rows } = await sql<{ index: string; model: string }>`
    select index_name as index, model from ${REPLICAS} where tenant_id = ${tenantId}`.execute(database.queries)
  for (const { index, model } of rows) {
    if (except !== null && (index !== except.index || model === modelOf(except))) continue
    await dropReplica(database, { tenantId, index, model: model === '' ? null : model })
  }
}

/**
 * Drops a replica; the next search with pgvector builds it again. A replica that is being changed stays, since its
 * tables may be locked for as long as their indexes are made.
 */
export async function dropReplica(database: Database, key: ReplicaKey): Promise<void> {
  await database.write(async (tx) => {
    const { rows } = await sql`select 1 from ${REPLICAS} where ${rowOf(key)} for update skip locked`.execute(tx)
    if (rows.length > 0) await dropTables(tx, key)
  }, key.tenantId)
}

/** Drops a replica if it still has this mark; with another mark, another process has built it anew meanwhile. */
export async function dropReplicaWithMark(database: Database, key: ReplicaKey, mark: string | null): Promise<void> {
  await database.write(async (tx) => {
    const { rows } = await sql`
      select 1 from ${REPLICAS} where ${rowOf(key)} and mark is not distinct from ${mark}::text for update`.execute(tx)
    if (rows.length > 0) await dropTables(tx, key)
  }, key.tenantId)
}

/** Sizes of a replica, and the number of the change that it has reached. */
export interface CountedReplica extends ReplicaKey {
  /** Name of its tables. */
  readonly name: string
  /** Every change with a number up to here is applied. */
  readonly reached: number
  /** Whether the replica was built to its end. */
  readonly isReady: boolean
  /** Number of documents by PostgreSQL's estimate. */
  readonly documents: number
  readonly passages: number
  /** Number of documents that are damaged, or whose vectors are not among the passages. */
  readonly unreadable: number
  /** Number of documents whose text waits, at most 10,000; 0 while the replica is being built. */
  readonly awaited: number
}

/** Returns the replicas of one tenant or of all. */
export async function countReplicas(queries: Queries, tenantId: string | null): Promise<CountedReplica[]> {
  type Row = Omit<CountedReplica, 'name' | 'documents' | 'awaited' | 'model'> & { readonly model: string }
  const { rows } = await sql<Row>`
    select tenant_id as "tenantId", index_name as index, model, reached, is_ready as "isReady", passages,
      cardinality(unreadable) as unreadable
    from ${REPLICAS}
    where format = ${FORMAT} and (${tenantId}::text is null or tenant_id = ${tenantId})`.execute(queries)
  const counted: CountedReplica[] = []
  for (const row of rows) {
    const replica = { ...row, model: row.model || null }
    const tables = tablesOf(replica)
    const counts = await sql<{ documents: number; misfits: number; awaited: number }>`
      select coalesce((
        select greatest(reltuples, 0) from pg_class where oid = to_regclass(${`${REPLICA_SCHEMA}.documents_${tables.name}`})
      ), 0) as documents, (select count(*) from ${tables.misfits}) as misfits, ${awaitedCount(tables)} as awaited
      `.execute(queries)
    const [{ documents, misfits, awaited }] = counts.rows
    counted.push({ ...replica, name: tables.name, documents, unreadable: row.unreadable + misfits, awaited })
  }
  return counted
}

async function dropTables(tx: Tx, key: ReplicaKey): Promise<void> {
  const { documents, passages, misfits, terms, awaited } = tablesOf(key)
  for (const table of [passages, misfits, documents, terms, awaited])
    await sql`drop table if exists ${table}`.execute(tx)
  await sql`delete from ${REPLICAS} where ${rowOf(key)}`.execute(tx)
}
