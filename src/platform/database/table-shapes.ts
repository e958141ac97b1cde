import { sql } from 'kysely'
import { tableNames } from './contents.ts'
import type { Database, Queries } from './database.ts'

/** A row of any table, by its columns. */
export type Row = Readonly<Record<string, string | number | Uint8Array | null>>

/** Columns, key and references of a table, as the schema of a database has them. */
export interface TableShape {
  readonly name: string
  readonly columns: readonly string[]
  /** Columns of the primary key. */
  readonly key: readonly string[]
  readonly references: readonly Reference[]
}

/** Foreign key: the values of columns are those of a row of the same table or another one. */
interface Reference {
  readonly to: string
  /** Pairs of a column of this table and the column of the other one. */
  readonly columns: readonly { readonly here: string; readonly there: string }[]
}

/** Tables of Kysely, which record the changes of the schema. */
const NOT_DATA = /^kysely_/

/**
 * Reads the tables of the service from the schema, so that none is forgotten. A table comes after the tables that its
 * rows refer to.
 * @throws Error when tables refer to each other in a circle, or one has no primary key
 */
export async function tableShapes({
  queries,
  portable,
}: Pick<Database, 'queries' | 'portable'>): Promise<TableShape[]> {
  const tables = await queries.introspection.getTables()
  const names = (await tableNames(queries)).filter((name) => !NOT_DATA.test(name))
  const keys = portable.name === 'sqlite' ? sqliteKey : postgresKey
  const references = portable.name === 'sqlite' ? sqliteReferences : postgresReferences
  const shapes: TableShape[] = []
  for (const name of names) {
    const key = await keys(queries, name)
    if (key.length === 0) throw new Error(`table ${name} has no primary key`)
    const columns = tables.find((table) => table.name === name)!.columns.map((column) => column.name)
    shapes.push({ name, columns: columns.toSorted(), key, references: await references(queries, name) })
  }
  return parentsFirst(shapes)
}

function parentsFirst(shapes: readonly TableShape[]): TableShape[] {
  const sorted: TableShape[] = []
  const isPlaced = (name: string): boolean => sorted.some((shape) => shape.name === name)
  while (sorted.length < shapes.length) {
    const next = shapes.find(
      ({ name, references }) => !isPlaced(name) && references.every(({ to }) => to === name || isPlaced(to)),
    )
    if (next === undefined) throw new Error('tables refer to each other in a circle')
    sorted.push(next)
  }
  return sorted
}

async function sqliteKey(queries: Queries, table: string): Promise<string[]> {
  const { rows } = await sql<{ name: string }>`
    select name from pragma_table_info(${table}) where pk > 0 order by pk`.execute(queries)
  return rows.map(({ name }) => name)
}

async function postgresKey(queries: Queries, table: string): Promise<string[]> {
  const { rows } = await sql<{ name: string }>`
    select a.attname as name
    from pg_index i cross join unnest(i.indkey) with ordinality as k (attnum, place)
      join pg_attribute a on a.attrelid = i.indrelid and a.attnum = k.attnum
    where i.indisprimary and i.indrelid = ${table}::regclass order by k.place`.execute(queries)
  return rows.map(({ name }) => name)
}

interface ReferenceRow {
  readonly id: string | number
  readonly to: string
  readonly here: string
  readonly there: string
}

async function sqliteReferences(queries: Queries, table: string): Promise<Reference[]> {
  const { rows } = await sql<ReferenceRow>`
    select id, "table" as "to", "from" as here, "to" as there
    from pragma_foreign_key_list(${table}) order by id, seq`.execute(queries)
  return referencesOf(rows)
}

async function postgresReferences(queries: Queries, table: string): Promise<Reference[]> {
  const { rows } = await sql<ReferenceRow>`
    select c.conname as id, r.relname as "to", h.attname as here, t.attname as there
    from pg_constraint c join pg_class r on r.oid = c.confrelid
      cross join unnest(c.conkey, c.confkey) with ordinality as k (here, there, place)
      join pg_attribute h on h.attrelid = c.conrelid and h.attnum = k.here
      join pg_attribute t on t.attrelid = c.confrelid and t.attnum = k.there
    where c.contype = 'f' and c.conrelid = ${table}::regclass order by c.conname, k.place`.execute(queries)
  return referencesOf(rows)
}

function referencesOf(rows: readonly ReferenceRow[]): Reference[] {
  return [...Map.groupBy(rows, ({ id }) => id).values()].map((columns) => ({
    to: columns[0].to,
    columns: columns.map(({ here, there }) => ({ here, there })),
  }))
}
