import { type Expression, type RawBuilder, sql } from 'kysely'

export type DialectName = 'sqlite' | 'postgres'

/** The few places where the two databases speak differently, named by what they do. */
export interface Portable {
  readonly name: DialectName
  /** Whether the JSON array of strings in `column` shares a value with `values`. */
  jsonArrayOverlaps(column: Expression<string>, values: readonly string[]): RawBuilder<boolean>
  /** Aggregates text values into one string, separated by commas. */
  joinText(column: Expression<string>): RawBuilder<string | null>
  /** Appended to a select that claims rows, so that two claimers never wait for each other. */
  readonly skipLocked: RawBuilder<unknown>
}

const sqlite: Portable = {
  name: 'sqlite',
  jsonArrayOverlaps: (column, values) =>
    sql`exists (select 1 from json_each(${column}) as item where item.value in (${sql.join(values)}))`,
  joinText: (column) => sql`group_concat(${column}, ',')`,
  skipLocked: sql``,
}

const postgres: Portable = {
  name: 'postgres',
  jsonArrayOverlaps: (column, values) =>
    sql`exists (select 1 from json_array_elements_text(${column}::json) as item(value) where item.value in (${sql.join(values)}))`,
  joinText: (column) => sql`string_agg(${column}, ',')`,
  skipLocked: sql`for update skip locked`,
}

export const PORTABLE: Readonly<Record<DialectName, Portable>> = { sqlite, postgres }
