import { sql } from 'kysely'
import type { Queries } from '../../platform/database/database.ts'
import { comesAfter } from '../../platform/database/page.ts'
import type { TableShape } from '../../platform/database/table-shapes.ts'

/** A row of any table, by its columns. */
export type Row = Readonly<Record<string, string | number | Uint8Array | null>>

/** Returns the condition for the rows that are copied: those of a tenant, or all for null. */
function belongs(tenantId: string | null) {
  return tenantId === null ? sql`1 = 1` : sql`tenant_id = ${tenantId}`
}

/** Lifts PostgreSQL's limit on idle time from a transaction, which waits while rows of another database are counted. */
export async function letRest(tx: Queries): Promise<void> {
  await sql`set local idle_in_transaction_session_timeout = 0`.execute(tx)
}

/** Returns the next rows of a table in the order of its key. @param after the last row before them; null at first */
export async function readRows(
  from: Queries,
  { name, columns, key }: TableShape,
  tenantId: string | null,
  after: Row | null,
  limit: number,
): Promise<Row[]> {
  const place =
    after === null
      ? sql`1 = 1`
      : comesAfter(
          key,
          key.map((column) => after[column] as string | number),
        )
  const { rows } = await sql<Row>`
    select ${sql.join(columns.map((column) => sql.ref(column)))} from ${sql.table(name)}
    where ${belongs(tenantId)} and ${place}
    order by ${sql.join(key.map((column) => sql.ref(column)))} limit ${limit}`.execute(from)
  return rows
}

export async function insertRows(tx: Queries, { name, columns }: TableShape, rows: readonly Row[]): Promise<void> {
  const names = sql.join(columns.map((column) => sql.ref(column)))
  const values = rows.map((row) => sql`(${sql.join(columns.map((column) => row[column]))})`)
  await sql`insert into ${sql.table(name)} (${names}) values ${sql.join(values)}`.execute(tx)
}

/** Counts the rows of a table that are copied. */
export async function countOf(db: Queries, { name }: TableShape, tenantId: string | null): Promise<number> {
  const { rows } = await sql<{ count: number }>`
    select count(*) as count from ${sql.table(name)} where ${belongs(tenantId)}`.execute(db)
  return rows[0].count
}

/** Returns values of a column that are sealed with the installation's key, of all tenants. */
export async function sealedValues(db: Queries, table: string, column: string, limit: number): Promise<string[]> {
  const { rows } = await sql<{ value: string }>`
    select ${sql.ref(column)} as value from ${sql.table(table)} where ${sql.ref(column)} is not null limit ${limit}`.execute(
    db,
  )
  return rows.map(({ value }) => value)
}
