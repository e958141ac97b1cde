import { type Expression, type RawBuilder, sql } from 'kysely'

export type DialectName = 'sqlite' | 'postgres'

export type JsonColumns = Readonly<Record<string, 'text' | 'bigint' | 'double precision'>>

/** The few places where SQL differs between the two databases, named by their purpose. */
export interface Portable {
  readonly name: DialectName
  /**
   * Returns the condition that `column` is one of some values. The values are one parameter, so their number does not
   * change the statement's text.
   */
  isOneOf(column: Expression<string | null>, values: readonly string[]): RawBuilder<boolean>
  /**
   * Returns the condition `one = other` for joined ids of entries, in a form for which SQLite uses the index with
   * further columns instead of the primary key.
   */
  isSameId(one: Expression<string>, other: Expression<string>): RawBuilder<boolean>
  /** Returns a JSON array of strings as a table expression with the column `value`. */
  jsonTexts(json: string | Expression<string>): RawBuilder<unknown>
  /** Joins the text values of a group to one string, separated by commas. */
  joinText(column: Expression<string>): RawBuilder<string | null>
  /** Returns a JSON array of objects as a table expression: one statement of constant text writes hundreds of rows. */
  jsonRows(json: string, columns: JsonColumns): RawBuilder<unknown>
  /** Returns the boolean `name` of the JSON object in `column`, as the text true or false; null when it is missing. */
  jsonFlag(column: Expression<string>, name: string): RawBuilder<string | null>
  /** End of a select that claims rows, so that concurrent claimers skip each other's rows instead of waiting. */
  readonly skipLocked: RawBuilder<unknown>
}

const sqlite: Portable = {
  name: 'sqlite',
  isOneOf: (column, values) => sql`${column} in (select value from json_each(${JSON.stringify(values)}))`,
  isSameId: (one, other) => sql`${one} between ${other} and ${other}`,
  jsonTexts: (json) => sql`json_each(${json})`,
  joinText: (column) => sql`group_concat(${column}, ',')`,
  // jsonb_each (SQLite 3.51) keeps each object parsed; json_each would write it as text and parse it again.
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
