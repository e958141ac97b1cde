import { sql } from 'kysely'
import type { Queries } from '../../platform/database/database.ts'
import { comesAfterRow } from '../../platform/database/page.ts'
import type { Row, TableShape } from '../../platform/database/table-shapes.ts'

/** Returns values of a column that are sealed with the installation's key, of all tenants. @param limit null for all */
export async function sealedValues(
  db: Queries,
  table: string,
  column: string,
  limit: number | null,
): Promise<string[]> {
  const { rows } = await sql<{ value: string }>`
    select ${sql.ref(column)} as value from ${sql.table(table)}
    where ${sql.ref(column)} is not null ${limit === null ? sql`` : sql`limit ${limit}`}`.execute(db)
  return rows.map(({ value }) => value)
}

/** Returns the next rows of a table in the order of its key, with their keys and sealed columns. */
export async function sealedRows(
  db: Queries,
  { name, key }: TableShape,
  columns: readonly string[],
  after: Row | null,
  limit: number,
): Promise<readonly Row[]> {
  const keys = key.map((column) => sql.ref(column))
  const { rows } = await sql<Row>`
    select ${sql.join([...keys, ...columns.map((column) => sql.ref(column))])} from ${sql.table(name)}
    where ${comesAfterRow(key, after)} order by ${sql.join(keys)} limit ${limit}`.execute(db)
  return rows
}

/** Replaces a sealed value, unless it has changed since it was read. @returns the number of rows that it changed */
export async function replaceSealed(
  tx: Queries,
  { name, key }: TableShape,
  row: Row,
  column: string,
  value: string,
): Promise<number> {
  const isRow = sql.join(
    [...key, column].map((each) => sql`${sql.ref(each)} = ${row[each]}`),
    sql` and `,
  )
  const { numAffectedRows } = await sql`
    update ${sql.table(name)} set ${sql.ref(column)} = ${value} where ${isRow}`.execute(tx)
  return Number(numAffectedRows)
}
