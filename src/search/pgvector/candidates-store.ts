/** Chooses the documents of a replica that a search ranks, and reads them. */
import { type RawBuilder, sql } from 'kysely'
import type { Queries } from '../../platform/database/database.ts'
import { B, K1 } from '../ranking/bm25.ts'
import { byteParts } from '../indexing/byte-parts.ts'
import type { IndexDefinition, Sort } from '../engine.ts'
import { type Condition, conditionOf, numberOf } from './filter-store.ts'
import type { ReplicaTables } from './tables-store.ts'
import { unitVectorText } from './columns.ts'
import { tsqueryOf } from './lexemes.ts'
import type { EncodedDocument } from './stored-document.ts'

/** Milliseconds after which a statement of a search is given up. */
const STATEMENT_MAX_MS = 10_000
/** Highest `ef_search` that pgvector allows. */
const EF_SEARCH_MAX = 1_000
/** Most passages that a scan of the index of vectors visits, to find enough whose documents pass the filters. */
const SCANNED_MAX = 100_000
/** Memory that such a scan may use, in multiples of `work_mem`; the scan ends where it is used up. */
const SCAN_MEMORY = 8
/** Most documents whose passages are compared one by one, where the index of vectors finds too few. */
const COMPARED_DOCUMENTS_MAX = 20_000
/** Most passages that are compared one by one: single documents may have hundreds. */
const COMPARED_PASSAGES_MAX = 100_000
/** Bytes of stored documents that are in memory at once, while they are added to the index that ranks them. */
const PIECE_BYTES = 4 * 2 ** 20

/** The eligible documents, among which a search chooses. */
export interface Eligible {
  readonly queries: Queries
  readonly tables: ReplicaTables
  readonly condition: Condition
}

/** A word of the query, or a word that it stands for. */
export interface QueryWord {
  /** The word in each partition. */
  readonly lexemes: readonly string[]
  readonly worth: number
  /** Number of visible documents with the word. */
  readonly frequency: number
  /** Number of the query's word that this word is or stands for; null for a part of a word. */
  readonly wordNumber: number | null
}

/** Returns the condition of documents that have at least one of the words. */
export function havingAny(lexemes: readonly string[]): Condition {
  return lexemes.length === 0 ? sql`false` : sql`d.terms @@ ${tsqueryOf([lexemes])}::tsquery`
}

/** Returns the condition of documents that have at least one word of each list. */
export function havingAll(lists: readonly (readonly string[])[]): Condition {
  return sql`d.terms @@ ${tsqueryOf(lists)}::tsquery`
}

/** The condition of documents in the sample. */
export const SAMPLED: Condition = sql`d.is_sampled`

/**
 * Bounds the statements of a search until the transaction ends, and lets scans of the index of vectors go on until
 * enough rows have passed the filter.
 * @param nearest most passages that the search takes from the index of vectors
 */
export async function beginSearch(queries: Queries, nearest: number): Promise<void> {
  await sql`
    select set_config('statement_timeout', ${String(STATEMENT_MAX_MS)}, true), set_config('jit', 'off', true),
      set_config('hnsw.iterative_scan', 'strict_order', true),
      set_config('hnsw.max_scan_tuples', ${String(SCANNED_MAX)}, true),
      set_config('hnsw.scan_mem_multiplier', ${String(SCAN_MEMORY)}, true),
      set_config('hnsw.ef_search', ${String(Math.min(nearest, EF_SEARCH_MAX))}, true)`.execute(queries)
}

/** Most documents that are listed, and most bytes of these documents as they are stored. */
export interface ListLimits {
  readonly documents: number
  readonly bytes: number
}

/** Returns the numbers of all eligible documents, or null if they exceed the limits. */
export async function listUpTo(
  { queries, tables, condition }: Eligible,
  { documents, bytes }: ListLimits,
): Promise<number[] | null> {
  // PostgreSQL sends no numbers where there are too many.
  const { rows } = await sql<{ numbers: string[] | null }>`
    select case when count(*) <= ${documents} and coalesce(sum(bytes), 0) <= ${bytes}
      then coalesce(array_agg(number), '{}') end as numbers
    from (
      select d.number, ${BYTES} as bytes from ${tables.documents} as d where ${condition}
      limit ${documents + 1}
    ) as d`.execute(queries)
  return rows[0].numbers?.map(Number) ?? null
}

/**
 * Returns the eligible documents with the nearest passages. The HNSW index finds them, but gives up where few of the
 * nearest passages are of eligible documents; then a bounded number of eligible documents is compared one by one. Must
 * run after `beginSearch`.
 * @param passages number of nearest passages to look for
 * @param documentsMin least documents; with fewer, documents are compared one by one, however many passages were found
 */
export async function listNearest(
  eligible: Eligible,
  vector: Float32Array,
  { passages, documentsMin }: { readonly passages: number; readonly documentsMin: number },
): Promise<number[]> {
  const text = unitVectorText(vector)
  if (text === null) return []
  const { queries, tables, condition } = eligible
  const { rows } = await sql<{ number: number }>`
    select p.document as number from ${tables.passages} as p join ${tables.documents} as d on d.number = p.document
    where ${condition} order by p.embedding <=> ${text}::halfvec(${sql.lit(vector.length)}) limit ${passages}
    `.execute(queries)
  const numbers = new Set(rows.map(({ number }) => number))
  if (rows.length === passages && numbers.size >= documentsMin) return [...numbers]
  // The documents come first, so that no plan can use the index of vectors again.
  const { rows: compared } = await sql<{ number: number }>`
    with documents as materialized (
      select d.number from ${tables.documents} as d where ${condition} limit ${COMPARED_DOCUMENTS_MAX}
    ), passages as materialized (
      select p.document, p.embedding from documents join ${tables.passages} as p on p.document = documents.number
      limit ${COMPARED_PASSAGES_MAX}
    )
    select document as number from passages group by document
    order by min(embedding <=> ${text}::halfvec(${sql.lit(vector.length)})) limit ${passages}`.execute(queries)
  for (const { number } of compared) numbers.add(number)
  return [...numbers]
}

/**
 * Returns the eligible documents that the words score highest, by BM25 as if each word were in a document once.
 * @param scoredMax most documents that are scored; of more eligible ones, those that PostgreSQL reads first
 * @param limit most documents that are returned
 */
export async function listByWords(
  { queries, tables, condition }: Eligible,
  words: readonly QueryWord[],
  meanLength: number,
  { scoredMax, limit }: { readonly scoredMax: number; readonly limit: number },
): Promise<number[]> {
  const worths = words.map(
    ({ lexemes, worth }) => sql`case when ${havingAny(lexemes)} then ${worth}::float8 else 0 end`,
  )
  const length = sql`(1 - ${B}::float8 + ${B}::float8 * d.length / ${Math.max(meanLength, 1e-9)}::float8)`
  const { rows } = await sql<{ number: number }>`
    select d.number from (select * from ${tables.documents} as d where ${condition} limit ${scoredMax}) as d
    order by (${sql.join(worths, sql` + `)}) / (1 + ${K1}::float8 * ${length}) desc, d.changed_at desc, d.id
    limit ${limit}`.execute(queries)
  return rows.map(({ number }) => number)
}

/** An order of documents; documents without a value come last. */
interface Order {
  readonly by: RawBuilder<unknown>
  readonly isDescending: boolean
}

/** Returns the order of a search: by titles or by one number field. Without `sort`, the newest change comes first. */
export function orderOf(definition: IndexDefinition, sort?: Sort): Order {
  if (sort === undefined) return { by: sql`d.changed_at`, isDescending: true }
  return {
    by: 'number' in sort ? numberBy(definition, sort) : sql`nullif(d.sort_text, '')`,
    isDescending: sort.descending,
  }
}

function numberBy(
  definition: IndexDefinition,
  { number, instead }: Extract<Sort, { number: string }>,
): RawBuilder<unknown> {
  const own = numberOf(definition, number)
  if (instead === undefined) return own
  const isReplaced = conditionOf(definition, instead.where)
  return sql`case when ${isReplaced} then ${numberOf(definition, instead.field)} else ${own} end`
}

/** Returns eligible documents in an order. @param offset number of documents that are skipped */
export async function listSorted(
  { queries, tables, condition }: Eligible,
  { by, isDescending }: Order,
  { limit, offset = 0 }: { readonly limit: number; readonly offset?: number },
): Promise<number[]> {
  const direction = isDescending ? sql`desc` : sql`asc`
  const { rows } = await sql<{ number: number }>`
    select d.number from ${tables.documents} as d where ${condition}
    order by ${by} ${direction} nulls last, d.changed_at desc, d.id limit ${limit} offset ${offset}`.execute(queries)
  return rows.map(({ number }) => number)
}

/** A document as it is stored, with the number of its change. */
export interface StoredDocument extends EncodedDocument {
  readonly seq: number
}

/** Bytes of a document as it is stored. */
const BYTES = sql`octet_length(d.stored) + octet_length(d.own_values)`

/**
 * Reads documents in pieces, so that no more than a few megabytes of stored documents are in memory.
 * @param numbers of the documents, the most important first
 * @param bytesMax most bytes that are read; a document that does not fit any more is left out
 * @param take receives each piece
 * @returns whether all documents were read
 */
export async function readDocuments(
  queries: Queries,
  { documents }: ReplicaTables,
  numbers: readonly number[],
  bytesMax: number,
  take: (piece: readonly StoredDocument[]) => Promise<void>,
): Promise<boolean> {
  const firstMax = Math.min(PIECE_BYTES, bytesMax)
  // Nearly always the first piece has all documents.
  const { rows } = await sql<{
    number: number
    seq: number
    bytes: number
    stored: Buffer | null
    ownValues: string | null
  }>`
    select number, seq, bytes, case when sum <= ${firstMax} then stored end as stored,
      case when sum <= ${firstMax} then own_values end as "ownValues"
    from (
      select d.number, d.seq, d.stored, d.own_values, ${BYTES} as bytes, place, sum(${BYTES}) over (order by place)
      from unnest(${numbers}::bigint[]) with ordinality as wanted (number, place)
      join ${documents} as d on d.number = wanted.number
    ) as sized order by place`.execute(queries)
  const first = rows.filter((row): row is typeof row & StoredDocument => row.stored !== null)
  if (first.length > 0) await take(first)
  let left = first.reduce((rest, { bytes }) => rest - bytes, bytesMax)
  const others = rows.slice(first.length)
  const fitting: typeof others = []
  for (const row of others) {
    if (row.bytes > left) continue
    left -= row.bytes
    fitting.push(row)
  }
  for (const piece of byteParts(fitting, PIECE_BYTES)) {
    const numbersOfPiece = piece.map(({ number }) => number)
    const more = await sql<StoredDocument>`
      select seq, stored, own_values as "ownValues" from ${documents} where number = any(${numbersOfPiece}::bigint[])`.execute(
      queries,
    )
    await take(more.rows)
  }
  return fitting.length === others.length
}
