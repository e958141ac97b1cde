/**
 * Counts words among the visible documents of a replica. Frequent words are counted in the sample alone. Only visible
 * documents decide which words are frequent, so no hidden document moves a count.
 */
import { type RawBuilder, sql } from 'kysely'
import type { Queries } from '../../platform/database/database.ts'
import { type Partition, PARTITIONS } from '../analysis/analysis.ts'
import { SAMPLE_SHARE } from './columns.ts'
import type { OpenReplica } from './choose-candidates.ts'
import { type Condition, conditionOf, numberOf } from './filter-store.ts'
import { tsqueryOf, tsqueryOfPrefixes } from './lexemes.ts'
import type { SplitFilter } from './moving-bounds.ts'
import type { ReplicaTables } from './tables-store.ts'

/** Visible documents of the sample with a word from which on their number times `SAMPLE_SHARE` is the word's count. */
const SAMPLED_MIN = 100
/**
 * Visible documents of the sample from which on their number times `SAMPLE_SHARE` is the number of all visible ones.
 */
const TOTAL_SAMPLED_MIN = 1_000
/** Most documents of the sample whose words are read. */
const SAMPLE_READ_MAX = 4_000
/** Most words with which a mistyped one is compared. */
const NEAR_MAX = 100_000

/** A replica, with the condition of the documents that a caller may see. */
export interface VisibleReplica {
  readonly queries: Queries
  readonly tables: ReplicaTables
  readonly visible: Condition
}

/** The number of visible documents and the sum of their lengths. */
export interface Totals {
  readonly documents: Readonly<Record<Partition, number>>
  readonly lengthSum: number
  readonly isEstimated: boolean
  /** By bound of the filter, the range of values with the same totals: at least `from`, below `to`; null for no end. */
  readonly boundRanges: readonly { readonly from: number | null; readonly to: number | null }[]
}

/** A number of visible documents. */
export interface DocumentCount {
  readonly count: number
  readonly isEstimated: boolean
}

/** Counts the documents that match a filter. The filter must be checked against the definition before. */
export async function countVisible(
  { queries, definition, tables }: Pick<OpenReplica, 'queries' | 'definition' | 'tables'>,
  { fixed, moving, bounds }: SplitFilter,
): Promise<Totals> {
  const columns = bounds.map(({ field, value }) => ({ column: numberOf(definition, field), value }))
  const listOf = (values: RawBuilder<unknown>[]) => sql`array[${sql.join(values)}]::float8[]`
  const passed = columns.map(({ column, value }) => sql`max(${column}) filter (where ${column} <= ${value}::float8)`)
  const ahead = columns.map(({ column, value }) => sql`min(${column}) filter (where ${column} > ${value}::float8)`)
  const isVisible = conditionOf(definition, moving)
  // The numbers of all documents that match the fixed part tell how far each bound may move.
  const counted = (isSample: boolean) =>
    sql<{
      part: string
      count: number
      length: number
      passed: readonly (number | null)[]
      ahead: readonly (number | null)[]
    }>`
      select d.part, count(*) filter (where ${isVisible}) as count,
        coalesce(sum(d.length order by d.number) filter (where ${isVisible}), 0) as length,
        ${listOf(passed)} as passed, ${listOf(ahead)} as ahead
      from ${tables.documents} as d
      where ${isSample ? sql`d.is_sampled and` : sql``} ${conditionOf(definition, fixed)}
      group by d.part order by d.part`.execute(queries)
  const sampled = (await counted(true)).rows
  const isEstimated = sampled.reduce((sum, { count }) => sum + count, 0) >= TOTAL_SAMPLED_MIN
  const rows = isEstimated ? sampled : (await counted(false)).rows
  const times = isEstimated ? SAMPLE_SHARE : 1
  const countOf = (partition: Partition): number => rows.find(({ part }) => part === partition[0])?.count ?? 0
  const withoutNulls = (values: (number | null)[]): number[] => values.filter((value) => value !== null)
  return {
    documents: Object.fromEntries(PARTITIONS.map((each) => [each, times * countOf(each)])) as Totals['documents'],
    lengthSum: times * rows.reduce((sum, { length }) => sum + length, 0),
    isEstimated,
    boundRanges: bounds.map((_, i) => ({
      from: withoutNulls(rows.map((row) => row.passed[i])).reduce<number | null>((a, b) => Math.max(a ?? b, b), null),
      to: withoutNulls(rows.map((row) => row.ahead[i])).reduce<number | null>((a, b) => Math.min(a ?? b, b), null),
    })),
  }
}

/**
 * Counts the visible documents that match each query, in the order of the queries.
 * @param tsqueries made by `tsqueryOf`
 */
export async function countMatches(replica: VisibleReplica, tsqueries: readonly string[]): Promise<DocumentCount[]> {
  const { rows } = await sql<CountRow>`
    select s.count as sampled, ${unlessSampled(replica)} as count
    from unnest(${tsqueries}::text[]) with ordinality as q (query, place), lateral ${sampledMatches(replica)} as s
    order by q.place`.execute(replica.queries)
  return rows.map(countOfRow)
}

/** Counts the visible documents with each word. Words that no document has are looked for like all others. */
export function countWords(replica: VisibleReplica, lexemes: readonly string[]): Promise<DocumentCount[]> {
  return countMatches(
    replica,
    lexemes.map((lexeme) => tsqueryOf([[lexeme]])),
  )
}

/**
 * Counts the visible documents with each word, cheaper than `countWords` for very many words of which few occur: words
 * that no document has, visible or not, are not looked for, and the result lacks them.
 */
export async function countStoredWords(
  replica: VisibleReplica,
  lexemes: readonly string[],
): Promise<ReadonlyMap<string, DocumentCount>> {
  const { rows } = await sql<CountRow & { lexeme: string }>`
    select q.lexeme, s.count as sampled, ${unlessSampled(replica)} as count
    from (
      select w.lexeme, w.query from unnest(${lexemes}::text[], ${lexemes.map((each) => tsqueryOf([[each]]))}::text[])
        as w (lexeme, query)
      where exists (select from ${replica.tables.terms} where term = w.lexeme and documents > 0)
    ) as q, lateral ${sampledMatches(replica)} as s`.execute(replica.queries)
  return new Map(rows.map((row) => [row.lexeme, countOfRow(row)]))
}

interface CountRow {
  readonly sampled: number
  readonly count: number | null
}

/** Returns the count of a row: exact, or estimated from the sample. */
function countOfRow({ sampled, count }: CountRow): DocumentCount {
  return count === null ? { count: sampled * SAMPLE_SHARE, isEstimated: true } : { count, isEstimated: false }
}

/** Returns a subquery for the number of visible documents of the sample that match `q.query`. */
function sampledMatches({ tables, visible }: VisibleReplica) {
  return sql`(
    select count(*) from ${tables.documents} as d where d.is_sampled and d.terms @@ q.query::tsquery and ${visible}
  )`
}

/** Returns an expression for the number of visible documents that match `q.query`; null where the sample has enough. */
function unlessSampled({ tables, visible }: VisibleReplica) {
  return sql`case when s.count < ${SAMPLED_MIN} then (
    select count(*) from ${tables.documents} as d where d.terms @@ q.query::tsquery and ${visible}
  ) end`
}

interface StoredWord {
  readonly lexeme: string
  /** Number of documents with the word, visible or not. */
  readonly documents: number
}

/** Returns those words that some document has. */
export async function storedWords(
  { queries, tables }: VisibleReplica,
  lexemes: readonly string[],
): Promise<readonly StoredWord[]> {
  const { rows } = await sql<StoredWord>`
    select term as lexeme, documents from ${tables.terms}
    where term = any(${lexemes}::text[]) and documents > 0`.execute(queries)
  return rows
}

/** Beginnings and lengths of words. The lengths are in characters; `most` is null for any length. */
interface WordPattern {
  readonly starts: readonly string[]
  readonly least: number
  readonly most: number | null
}

interface WordCounts {
  readonly words: readonly { readonly lexeme: string; readonly count: number }[]
  /** Whether the words come from the sample alone, or there are more words. */
  readonly isEstimated: boolean
}

/**
 * Returns the words of visible documents that match a pattern, the most frequent terms first. One pass over these
 * documents counts every word; where the documents are very many, one pass over the sample. Hidden documents change no
 * count.
 * @param limit most words; a term in two partitions is two words, whose counts add up to the term's frequency
 */
export async function visibleWords(
  { queries, tables, visible }: VisibleReplica,
  { starts, least, most }: WordPattern,
  limit = NEAR_MAX,
): Promise<WordCounts> {
  const having = sql`d.terms @@ ${tsqueryOfPrefixes(starts)}::tsquery and ${visible}`
  const sampled = sql`${tables.documents} as d where d.is_sampled and ${having}`
  const counted = await sql<{ count: number }>`
    select count(*) as count from (select from ${sampled} limit ${SAMPLED_MIN}) as d`.execute(queries)
  const isSampled = counted.rows[0].count >= SAMPLED_MIN
  const documents = isSampled ? sql`${sampled} limit ${SAMPLE_READ_MAX}` : sql`${tables.documents} as d where ${having}`
  const { rows } = await sql<{ lexeme: string; count: number }>`
    select word as lexeme, count(*) as count
    from (select d.terms from ${documents}) as d, unnest(tsvector_to_array(d.terms)) as word
    where (${sql.join(
      starts.map((start) => sql`starts_with(word, ${start})`),
      sql` or `,
    )})
      and length(word) >= ${least} and (${most}::int is null or length(word) <= ${most})
    group by word
    order by sum(count(*)) over (partition by substr(word, 2)) desc, substr(word, 2) collate "C", word
    limit ${limit}`.execute(queries)
  const times = isSampled ? SAMPLE_SHARE : 1
  return {
    words: rows.map(({ lexeme, count }) => ({ lexeme, count: times * count })),
    isEstimated: isSampled || rows.length === NEAR_MAX,
  }
}

/** Returns words that match a pattern, whether visible documents have them or not; of very many, the most frequent. */
export async function storedWordsOfLength(
  { queries, tables }: VisibleReplica,
  { starts: [start], least, most }: WordPattern,
): Promise<{ readonly words: readonly StoredWord[]; readonly areAll: boolean }> {
  const { rows } = await sql<StoredWord>`
    select term as lexeme, documents from ${tables.terms}
    where term >= ${start} and term < ${start} || chr(1114111) and documents > 0
      and length(term) >= ${least} and (${most}::int is null or length(term) <= ${most})
    order by documents desc, term limit ${NEAR_MAX}`.execute(queries)
  return { words: rows, areAll: rows.length < NEAR_MAX }
}

/** PostgreSQL's code for a statement that took too long. */
const QUERY_CANCELED = '57014'

/**
 * Does work that only reads, with a bound on the time of each statement. The transaction stays usable after a statement
 * that takes longer.
 * @returns the result of `work`, or null if a statement takes longer
 */
export async function withinTime<T>(queries: Queries, timeoutMs: number, work: () => Promise<T>): Promise<T | null> {
  await sql`savepoint words`.execute(queries)
  await sql`select set_config('statement_timeout', ${String(Math.ceil(timeoutMs))}, true)`.execute(queries)
  try {
    return await work()
  } catch (error) {
    if ((error as { code?: unknown }).code === QUERY_CANCELED) return null
    throw error
  } finally {
    // The rollback also restores the former bound.
    await sql`rollback to savepoint words`.execute(queries)
  }
}
