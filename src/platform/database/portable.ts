import { type Expression, type RawBuilder, sql } from 'kysely'

export type DialectName = 'sqlite' | 'postgres'

export type JsonColumns = Readonly<Record<string, 'text' | 'bigint' | 'double precision'>>

/** The few places where the two databases speak differently, named by what they do. */
export interface Portable {
  readonly name: DialectName
  /** Whether `column` is one of any number of values, which are one parameter: the statement's text stays the same. */
  isOneOf(column: Expression<string | null>, values: readonly string[]): RawBuilder<boolean>
  /** `one = other` for ids of entries that are joined, so that SQLite takes the index which has more than the key. */
  isSameId(one: Expression<string>, other: Expression<string>): RawBuilder<boolean>
  /** A JSON array of texts as a table expression with the column `value`. */
  jsonTexts(json: string | Expression<string>): RawBuilder<unknown>
  /** Aggregates text values into one string, separated by commas. */
  joinText(column: Expression<string>): RawBuilder<string | null>
  /** A JSON array of objects as a table expression: hundreds of rows in one statement of constant text. */
  jsonRows(json: string, columns: JsonColumns): RawBuilder<unknown>
  /** The boolean under `name` in the JSON object in `column`, as the text true or false; null when it has none. */
  jsonFlag(column: Expression<string>, name: string): RawBuilder<string | null>
  /** Appended to a select that claims rows, so that two claimers never wait for each other. */
  readonly skipLocked: RawBuilder<unknown>
}

const sqlite: Portable = {
  name: 'sqlite',
  isOneOf: (column, values) => sql`${column} in (select value from json_each(${JSON.stringify(values)}))`,
  isSameId: (one, other) => sql`${one} between ${other} and ${other}`,
  jsonTexts: (json) => sql`json_each(${json})`,
  joinText: (column) => sql`group_concat(${column}, ',')`,
  // jsonb_each (SQLite 3.51) hands out each object as it was parsed; json_each would have it written and parsed again.
  jsonRows(json, columns) {
    const fields = Object.keys(columns).map(
      (name) => sql`json_extract(value, ${sql.lit(`$.${name}`)}) as ${sql.ref(name)}`,
    )
    return sql`(select ${sql.join(fields)} from jsonb_each(${json}))`
  },
  jsonFlag: (column, name) => {
    const type = sql<string>`json_type(${column}, ${sql.lit(`$.${name}`)})`
    return sql`case when ${type} in ('true', 'false') then ${type} end`
  },
  skipLocked: sql``,
}

const postgres: Portable = {
  name: 'postgres',
  isOneOf: (column, values) => sql`${column} = any(${sql.val([...values])}::text[])`,
  isSameId: (one, other) => sql`${one} = ${other}`,
  jsonTexts: (json) => sql`json_array_elements_text(${json}::json)`,
  joinText: (column) => sql`string_agg(${column}, ',')`,
  jsonRows(json, columns) {
    const fields = Object.entries(columns).map(([name, type]) => sql`${sql.ref(name)} ${sql.raw(type)}`)
    return sql`(select * from json_to_recordset(${json}::json) as fields(${sql.join(fields)}))`
  },
  jsonFlag: (column, name) => {
    const value = sql`${column}::json -> ${sql.lit(name)}`
    return sql`case when json_typeof(${value}) = 'boolean' then (${value})::text end`
  },
  skipLocked: sql`for update skip locked`,
}

export const PORTABLE: Readonly<Record<DialectName, Portable>> = { sqlite, postgres }
