/**
 * Counts words among the visible documents of a replica. Words that many of them have are counted in the sample alone;
 * only visible documents decide which words those are, so no other document moves a count.
 */
import { type RawBuilder, sql } from 'kysely'
import type { Queries } from '../../platform/database/database.ts'
import { type Partition, PARTITIONS } from '../analysis/analysis.ts'
import { SAMPLE_SHARE } from './columns.ts'
import type { OpenReplica } from './choose-candidates.ts'
import { type Condition, conditionOf, numberOf } from './filter-store.ts'
import { tsqueryOf, tsqueryOfPrefixes } from './lexemes.ts'
import type { BoundedFilter } from './moving-bounds.ts'
import type { ReplicaTables } from './tables-store.ts'

/** From so many visible documents in the sample on, their number is taken times `SAMPLE_SHARE`. */
const SAMPLED_MIN = 100
/** The same for how many documents are visible at all. */
const TOTAL_SAMPLED_MIN = 1_000
/** Of the documents of the sample, so many are looked through for words. */
const LOOKED_THROUGH_MAX = 4_000
/** Of the words that a mistyped one is compared with. */
const NEAR_MAX = 100_000

/** A replica, and what a caller sees of it. */
export interface VisibleReplica {
  readonly queries: Queries
  readonly tables: ReplicaTables
  readonly visible: Condition
}

export interface Totals {
  readonly documents: Readonly<Record<Partition, number>>
  readonly lengthSum: number
  readonly isEstimated: boolean
  /** By bound of the filter, where it may lie for the same totals: from there on, and before there; null for no end. */
  readonly between: readonly { readonly from: number | null; readonly to: number | null }[]
}

export interface Counted {
  readonly count: number
  readonly isEstimated: boolean
}

/** How many documents are visible, and how long they are in all. @param filter checked against the definition before */
export async function countVisible(
  { queries, definition, tables }: Pick<OpenReplica, 'queries' | 'definition' | 'tables'>,
  { fixed, moving, bounds }: BoundedFilter,
): Promise<Totals> {
  const numbers = bounds.map(({ number, at }) => ({ number: numberOf(definition, number), at }))
  const listOf = (values: RawBuilder<unknown>[]) => sql`array[${sql.join(values)}]::float8[]`
  const passed = numbers.map(({ number, at }) => sql`max(${number}) filter (where ${number} <= ${at}::float8)`)
  const ahead = numbers.map(({ number, at }) => sql`min(${number}) filter (where ${number} > ${at}::float8)`)
  const isVisible = conditionOf(definition, moving)
  // The numbers of documents that only a bound hides tell how far it may move.
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
  const known = (values: (number | null)[]): number[] => values.filter((value) => value !== null)
  return {
    documents: Object.fromEntries(PARTITIONS.map((each) => [each, times * countOf(each)])) as Totals['documents'],
    lengthSum: times * rows.reduce((sum, { length }) => sum + length, 0),
    isEstimated,
    between: bounds.map((_, i) => ({
      from: known(rows.map((row) => row.passed[i])).reduce<number | null>((a, b) => Math.max(a ?? b, b), null),
      to: known(rows.map((row) => row.ahead[i])).reduce<number | null>((a, b) => Math.min(a ?? b, b), null),
    })),
  }
}

/** How many visible documents match each query, in its order. @param queries of `tsqueryOf` */
export async function countMatches(replica: VisibleReplica, asked: readonly string[]): Promise<Counted[]> {
  const { rows } = await sql<CountedRow>`
    select s.count as sampled, ${unlessSampled(replica)} as count
    from unnest(${asked}::text[]) with ordinality as q (query, place), lateral ${sampledMatches(replica)} as s
    order by q.place`.execute(replica.queries)
  return rows.map(countedOf)
}

/** How many visible documents have each word. Words that nobody has are looked for like all others. */
export function countWords(replica: VisibleReplica, lexemes: readonly string[]): Promise<Counted[]> {
  return countMatches(
    replica,
    lexemes.map((lexeme) => tsqueryOf([[lexeme]])),
  )
}

/**
 * Like `countWords`, and cheaper for very many words of which few occur: those that no document has, visible or not,
 * are not looked for, and missing from the answer.
 */
export async function countKnownWords(
  replica: VisibleReplica,
  lexemes: readonly string[],
): Promise<ReadonlyMap<string, Counted>> {
  const { rows } = await sql<CountedRow & { lexeme: string }>`
    select q.lexeme, s.count as sampled, ${unlessSampled(replica)} as count
    from (
      select w.lexeme, w.query from unnest(${lexemes}::text[], ${lexemes.map((each) => tsqueryOf([[each]]))}::text[])
        as w (lexeme, query)
      where exists (select from ${replica.tables.terms} where term = w.lexeme and documents > 0)
    ) as q, lateral ${sampledMatches(replica)} as s`.execute(replica.queries)
  return new Map(rows.map((row) => [row.lexeme, countedOf(row)]))
}

interface CountedRow {
  readonly sampled: number
  readonly count: number | null
}

function countedOf({ sampled, count }: CountedRow): Counted {
  return count === null ? { count: sampled * SAMPLE_SHARE, isEstimated: true } : { count, isEstimated: false }
}

/** How many documents of the sample match `q.query`. */
function sampledMatches({ tables, visible }: VisibleReplica) {
  return sql`(
    select count(*) from ${tables.documents} as d where d.is_sampled and d.terms @@ q.query::tsquery and ${visible}
  )`
}

/** How many documents match `q.query`; null where those of the sample, `s.count`, say enough. */
function unlessSampled({ tables, visible }: VisibleReplica) {
  return sql`case when s.count < ${SAMPLED_MIN} then (
    select count(*) from ${tables.documents} as d where d.terms @@ q.query::tsquery and ${visible}
  ) end`
}

interface KnownWord {
  readonly lexeme: string
  /** How many documents have it, visible or not. */
  readonly documents: number
}

/** Those of the words that some document has. */
export async function findWords(
  { queries, tables }: VisibleReplica,
  lexemes: readonly string[],
): Promise<readonly KnownWord[]> {
  const { rows } = await sql<KnownWord>`
    select term as lexeme, documents from ${tables.terms}
    where term = any(${lexemes}::text[]) and documents > 0`.execute(queries)
  return rows
}

/** Words with one of several beginnings, by their lengths in characters; null for any length. */
interface WantedWords {
  readonly starts: readonly string[]
  readonly least: number
  readonly most: number | null
}

interface FoundWords {
  readonly words: readonly { readonly lexeme: string; readonly count: number }[]
  /** Whether the sample alone was looked through, or there are more of them. */
  readonly isEstimated: boolean
}

/**
 * The words that begin so of visible documents, the most frequent terms first. One pass over these documents counts
 * every word; where they are very many, one over the sample. What hidden documents have changes neither.
 * @param limit words; the same term in two partitions is two of them, and both count for its place
 */
export async function visibleWords(
  { queries, tables, visible }: VisibleReplica,
  { starts, least, most }: WantedWords,
  limit = NEAR_MAX,
): Promise<FoundWords> {
  const having = sql`d.terms @@ ${tsqueryOfPrefixes(starts)}::tsquery and ${visible}`
  const sampled = sql`${tables.documents} as d where d.is_sampled and ${having}`
  const counted = await sql<{ count: number }>`
    select count(*) as count from (select from ${sampled} limit ${SAMPLED_MIN}) as d`.execute(queries)
  const isSampled = counted.rows[0].count >= SAMPLED_MIN
  const documents = isSampled
    ? sql`${sampled} limit ${LOOKED_THROUGH_MAX}`
    : sql`${tables.documents} as d where ${having}`
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

/** Words that begin so, whether visible documents have them or not; of very many, those that most documents have. */
export async function wordsOfLength(
  { queries, tables }: VisibleReplica,
  { starts: [start], least, most }: WantedWords,
): Promise<{ readonly words: readonly KnownWord[]; readonly areAll: boolean }> {
  const { rows } = await sql<KnownWord>`
    select term as lexeme, documents from ${tables.terms}
    where term >= ${start} and term < ${start} || chr(1114111) and documents > 0
      and length(term) >= ${least} and (${most}::int is null or length(term) <= ${most})
    order by documents desc, term limit ${NEAR_MAX}`.execute(queries)
  return { words: rows, areAll: rows.length < NEAR_MAX }
}

/** What PostgreSQL answers for a statement that took too long. */
const QUERY_CANCELED = '57014'

/**
 * Does work that only reads, with a time for each of its statements. The transaction goes on after one that took longer.
 * @returns what `work` returns, or null if a statement took longer
 */
export async function within<T>(queries: Queries, timeoutMs: number, work: () => Promise<T>): Promise<T | null> {
  await sql`savepoint words`.execute(queries)
  await sql`select set_config('statement_timeout', ${String(Math.ceil(timeoutMs))}, true)`.execute(queries)
  try {
    return await work()
  } catch (error) {
    if ((error as { code?: unknown }).code === QUERY_CANCELED) return null
    throw error
  } finally {
    // Sets the time back, too.
    await sql`rollback to savepoint words`.execute(queries)
  }
}
