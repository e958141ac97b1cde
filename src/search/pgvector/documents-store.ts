/** Changes the documents of a replica, and what other tables have of them. */
import { type RawBuilder, sql } from 'kysely'
import type { Queries, Tx } from '../../platform/database/database.ts'
import { REPLICA_SCHEMA } from '../../platform/database/replica-schema.ts'
import type { DocumentValues, IndexDefinition } from '../engine.ts'
import type { PreparedDocument } from '../indexing/prepared-document.ts'
import { isSampled, sortKeyOf, vectorLength } from './columns.ts'
import { amountsOf, keysOf } from './keys.ts'
import { lexemesOf } from './lexemes.ts'
import { insertPassages } from './passages-store.ts'
import type { ReplicaState } from './state-store.ts'
import { decodeValues, encodeDocument, encodeValues } from './stored-document.ts'
import { numberColumn, type ReplicaTables } from './tables-store.ts'

/** Documents that one statement writes. */
const CHUNK_MAX = 100

/** An analysed document that a replica is to store. */
export interface Put {
  readonly seq: number
  /** Number of the change that last altered the text. */
  readonly textSeq: number
  readonly put: PreparedDocument
}

/** A document in a replica. */
export interface ReplicaDocument {
  readonly id: string
  readonly number: number
  /** Number of the change that the values are from. */
  readonly seq: number
  /** Number of the change that last altered the text which the replica has. */
  readonly textSeq: number
}

/** Returns by id those of some documents that a replica has. */
export async function documentsAmong(
  queries: Queries,
  { documents }: ReplicaTables,
  ids: readonly string[],
): Promise<ReadonlyMap<string, ReplicaDocument>> {
  const { rows } = await sql<ReplicaDocument>`
    select id, number, seq, text_seq as "textSeq" from ${documents} where id = any(${ids}::text[])`.execute(queries)
  return new Map(rows.map((row) => [row.id, row]))
}

/** Returns the values that a replica has of documents, which the numbers name. */
export async function readValues(
  queries: Queries,
  { documents }: ReplicaTables,
  numbers: readonly number[],
): Promise<ReadonlyMap<number, DocumentValues>> {
  if (numbers.length === 0) return new Map()
  const { rows } = await sql<{ number: number; values: string }>`
    select number, own_values as "values" from ${documents} where number = any(${numbers}::bigint[])`.execute(queries)
  return new Map(rows.map(({ number, values }) => [number, decodeValues(values)]))
}

/** Moves the terms of changed documents into their indexes, so that no search reads them one by one. */
export async function indexTerms(tx: Tx, { termIndexes: { all, sampled } }: ReplicaTables): Promise<void> {
  await sql`
    select gin_clean_pending_list(${nameOf(all)}::regclass),
      gin_clean_pending_list(${nameOf(sampled)}::regclass)`.execute(tx)
}

function nameOf(index: string): string {
  return `"${REPLICA_SCHEMA}"."${index}"`
}

/** Values that replace those of a document, which the number names. */
export interface NewValues {
  readonly number: number
  readonly seq: number
  readonly values: DocumentValues
}

/** Replaces the values of documents, whose text stays as it is. */
export async function replaceValues(
  tx: Tx,
  definition: IndexDefinition,
  { documents }: ReplicaTables,
  replacements: readonly NewValues[],
): Promise<void> {
  const columns = definition.numberFields.map((field) => sql.id(numberColumn(definition, field)))
  const assigned = columns.map((column) => sql`, ${column} = v.${column}`)
  const named = columns.map((column) => sql`, ${column}`)
  for (let at = 0; at < replacements.length; at += CHUNK_MAX) {
    const rows = replacements.slice(at, at + CHUNK_MAX).map(({ number, seq, values }) => {
      const numbers = definition.numberFields.map((field) => sql`, ${values.numbers[field] ?? null}::float8`)
      return sql`(${number}::bigint, ${seq}::bigint, ${values.changedAt}::float8, ${keysOf(definition, values)}::text[],
        ${JSON.stringify(amountsOf(values))}::jsonb, ${encodeValues(values)}${joined(numbers)})`
    })
    await sql`
      update ${documents} as d
      set seq = v.seq, changed_at = v.changed_at, keys = v.keys, amounts = v.amounts, own_values = v.own_values
        ${joined(assigned)}
      from (values ${sql.join(rows)}) as v (number, seq, changed_at, keys, amounts, own_values${joined(named)})
      where d.number = v.number`.execute(tx)
  }
}

function joined(parts: readonly RawBuilder<unknown>[]) {
  return parts.length === 0 ? sql`` : sql.join(parts, sql``)
}

/**
 * Returns the dimensions of the replica's vectors after a step. They change only once no passage is left: then they are
 * those of the first document that is written, or else of the first that waits for its vectors to be adopted.
 */
export async function dimensionsFor(
  tx: Tx,
  { misfits }: ReplicaTables,
  { dimensions, passagesLeft }: { readonly dimensions: number | null; readonly passagesLeft: number },
  puts: readonly Put[],
): Promise<number | null> {
  if (passagesLeft > 0) return dimensions
  const lengths = puts.map(({ put }) => vectorLength(put.document)).filter((length) => length !== null && length > 0)
  if (lengths.length > 0) return lengths.find((length) => length === dimensions) ?? lengths[0]
  const { rows } = await sql<{ dimensions: number }>`
    select dimensions from ${misfits} where dimensions > 0 order by document limit 1`.execute(tx)
  return rows.length === 0 ? dimensions : rows[0].dimensions
}

/** Deletes documents. @returns the number of passages that they had */
export async function removeDocuments(
  tx: Tx,
  { documents, passages, misfits, terms }: ReplicaTables,
  ids: readonly string[],
  { dimensions, isReady: hasTerms }: Pick<ReplicaState, 'dimensions' | 'isReady'>,
): Promise<number> {
  if (ids.length === 0) return 0
  const { rows } = await sql<{ number: number }>`
    select number from ${documents} where id = any(${ids}::text[])`.execute(tx)
  if (rows.length === 0) return 0
  const numbers = rows.map(({ number }) => number)
  let lost = 0
  if (dimensions !== null) {
    const deleted = await sql`delete from ${passages} where document = any(${numbers}::bigint[])`.execute(tx)
    lost = Number(deleted.numAffectedRows ?? 0)
  }
  await sql`delete from ${misfits} where document = any(${numbers}::bigint[])`.execute(tx)
  if (hasTerms) {
    await sql`
      update ${terms} as t set documents = t.documents - lost.count
      from (
        select word, count(*) as count from ${documents}, unnest(tsvector_to_array(terms)) as word
        where number = any(${numbers}::bigint[]) group by word
      ) as lost
      where t.term = lost.word`.execute(tx)
    // A word that no document has must not stay.
    await sql`
      delete from ${terms} where documents <= 0 and term = any((
        select array_agg(word) from ${documents}, unnest(tsvector_to_array(terms)) as word
        where number = any(${numbers}::bigint[])
      )::text[])`.execute(tx)
  }
  await sql`delete from ${documents} where number = any(${numbers}::bigint[])`.execute(tx)
  return lost
}

/** Inserts documents as `insertChunk` does, any number of them. */
export async function insertDocuments(
  tx: Tx,
  definition: IndexDefinition,
  tables: ReplicaTables,
  puts: readonly Put[],
  state: Pick<ReplicaState, 'dimensions' | 'isReady'>,
): Promise<number> {
  let passages = 0
  for (let at = 0; at < puts.length; at += CHUNK_MAX) {
    passages += await insertChunk(tx, definition, tables, puts.slice(at, at + CHUNK_MAX), state)
  }
  return passages
}

/**
 * Inserts documents. The vectors of a document with other dimensions wait to be adopted; until then words alone find
 * it.
 * @returns the number of passages that were stored
 */
async function insertChunk(
  tx: Tx,
  definition: IndexDefinition,
  tables: ReplicaTables,
  puts: readonly Put[],
  { dimensions, isReady: hasTerms }: Pick<ReplicaState, 'dimensions' | 'isReady'>,
): Promise<number> {
  const { documents, misfits, terms } = tables
  const { numberFields } = definition
  const columns = numberFields.map((field) => sql`${sql.id(numberColumn(definition, field))},`)
  const rows = puts.map(({ seq, textSeq, put }) => {
    const { document, partition, frequencies, length } = put
    const lexemes = lexemesOf(partition, frequencies)
    const numbers = numberFields.map((field) => sql`${document.numbers[field] ?? null}::float8,`)
    return sql`(${document.id}, ${seq}::bigint, ${textSeq}::bigint, ${document.changedAt}::float8,
      ${partition[0]}, ${length}::float8,
      ${isSampled(document.id)}::bool, ${keysOf(definition, document)}::text[],
      ${JSON.stringify(amountsOf(document))}::jsonb, ${sql.join(numbers, sql` `)} ${sortKeyOf(document)},
      array_to_tsvector(${lexemes}::text[]), ${encodeValues(document)}, ${encodeDocument(withSoundVectors(put))}::bytea)`
  })
  const inserted = await sql<{ number: number; id: string }>`
    insert into ${documents}
      (id, seq, text_seq, changed_at, part, length, is_sampled, keys, amounts, ${sql.join(columns, sql` `)} sort_text,
        terms, own_values, stored)
    values ${sql.join(rows)} returning number, id`.execute(tx)
  const numbers = new Map(inserted.rows.map(({ number, id }) => [id, number]))
  const fitting: { readonly number: number; readonly vector: Float32Array }[] = []
  const waiting: { readonly number: number; readonly length: number }[] = []
  for (const { put } of puts) {
    const number = numbers.get(put.document.id)!
    const length = vectorLength(put.document)
    if (length === dimensions) fitting.push(...put.document.passages.map(({ vector }) => ({ number, vector })))
    else if (length !== null) waiting.push({ number, length })
  }
  if (waiting.length > 0) {
    await sql`
      insert into ${misfits} (document, dimensions)
      select * from unnest(${waiting.map(({ number }) => number)}::bigint[], ${waiting.map(({ length }) => length)}::int[])
      `.execute(tx)
  }
  const stored = await insertPassages(tx, tables, fitting)
  if (!hasTerms) return stored
  await sql`
    insert into ${terms} as t (term, documents)
    select word, count(*) from ${documents}, unnest(tsvector_to_array(terms)) as word
    where number = any(${[...numbers.values()]}::bigint[]) group by word order by word
    on conflict (term) do update set documents = t.documents + excluded.documents`.execute(tx)
  return stored
}

/** Returns a document without its vectors where they differ in their dimensions or are not finite. */
function withSoundVectors(put: PreparedDocument): PreparedDocument {
  return vectorLength(put.document) === 0 ? { ...put, document: { ...put.document, passages: [] } } : put
}
