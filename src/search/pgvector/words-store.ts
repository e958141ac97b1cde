/**
 * Counts words among the visible documents of a replica. Words that many of them have are counted in the sample alone;
 * only visible documents decide which words those are, so no other document moves a count.
 */
import { type RawBuilder, sql } from 'kysely'
import type { Queries } from '../../platform/database/database.ts'
import { type Partition, PARTITIONS } from '../analysis/analysis.ts'
import { SAMPLE_SHARE } from './columns.ts'
import type { Replica } from './choose-candidates.ts'
import { type Condition, conditionOf, numberOf } from './filter-store.ts'
import { tsqueryOf } from './lexemes.ts'
import type { BoundedFilter } from './moving-bounds.ts'
import type { ReplicaTables } from './tables-store.ts'

/** From so many visible documents in the sample on, their number is taken times `SAMPLE_SHARE`. */
const SAMPLED_MIN = 100
/** The same for how many documents are visible at all. */
const TOTAL_SAMPLED_MIN = 1_000
/** Of the words with one beginning, so many are looked at, the most frequent first. */
const BEGUN_MAX = 20_000
/** Of the words near a mistyped one. */
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
  { queries, definition, tables }: Pick<Replica, 'queries' | 'definition' | 'tables'>,
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
export async function countMatches(
  { queries, tables, visible }: VisibleReplica,
  asked: readonly string[],
): Promise<Counted[]> {
  const { rows } = await sql<{ sampled: number; count: number | null }>`
    select s.count as sampled, case when s.count < ${SAMPLED_MIN} then (
      select count(*) from ${tables.documents} as d where d.terms @@ q.query::tsquery and ${visible}
    ) end as count
    from unnest(${asked}::text[]) with ordinality as q (query, place), lateral (
      select count(*) from ${tables.documents} as d where d.is_sampled and d.terms @@ q.query::tsquery and ${visible}
    ) as s
    order by q.place`.execute(queries)
  return rows.map(({ sampled, count }) =>
    count === null ? { count: sampled * SAMPLE_SHARE, isEstimated: true } : { count, isEstimated: false },
  )
}

/** How many visible documents have each word. */
export function countWords(replica: VisibleReplica, lexemes: readonly string[]): Promise<Counted[]> {
  return countMatches(
    replica,
    lexemes.map((lexeme) => tsqueryOf([[lexeme]])),
  )
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

/** The most frequent words that begin so. */
export async function wordsBeginning(
  { queries, tables }: VisibleReplica,
  start: string,
): Promise<readonly KnownWord[]> {
  const { rows } = await sql<KnownWord>`
    select term as lexeme, documents from ${tables.terms}
    where term >= ${start} and term < ${start} || chr(1114111) and documents > 0
    order by documents desc, term limit ${BEGUN_MAX}`.execute(queries)
  return rows
}

/** Words that begin so and have at most so many characters more or fewer; null for any length. */
export async function wordsOfLength(
  { queries, tables }: VisibleReplica,
  start: string,
  length: { readonly least: number; readonly most: number | null },
): Promise<readonly KnownWord[]> {
  const { rows } = await sql<KnownWord>`
    select term as lexeme, documents from ${tables.terms}
    where term >= ${start} and term < ${start} || chr(1114111) and documents > 0
      and length(term) >= ${length.least} and (${length.most}::int is null or length(term) <= ${length.most})
    order by documents desc, term limit ${NEAR_MAX}`.execute(queries)
  return rows
}
