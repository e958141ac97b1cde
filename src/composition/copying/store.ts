import { sql } from 'kysely'
import type { Queries } from '../../platform/database/database.ts'
import type { DocumentTables } from '../../platform/database/document-tables.ts'
import { comesAfterRow } from '../../platform/database/page.ts'
import type { TenantRow } from '../../platform/database/tables.ts'
import type { Row, TableShape } from '../../platform/database/table-shapes.ts'

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
  const { rows } = await sql<Row>`
    select ${sql.join(columns.map((column) => sql.ref(column)))} from ${sql.table(name)}
    where ${belongs(tenantId)} and ${comesAfterRow(key, after)}
    order by ${sql.join(key.map((column) => sql.ref(column)))} limit ${limit}`.execute(from)
  return rows
}

export async function insertRows(tx: Queries, { name, columns }: TableShape, rows: readonly Row[]): Promise<void> {
  const names = sql.join(columns.map((column) => sql.ref(column)))
  const values = rows.map((row) => sql`(${sql.join(columns.map((column) => row[column]))})`)
  await sql`insert into ${sql.table(name)} (${names}) values ${sql.join(values)}`.execute(tx)
}

/** Gives a copied tenant its host and reference. */
export async function setAddress(
  tx: Queries,
  tenantId: string,
  address: Pick<TenantRow, 'host' | 'reference'>,
): Promise<void> {
  await tx.updateTable('tenants').set(address).where('tenant_id', '=', tenantId).execute()
}

/** Lets the rows of an embedded database refer to rows that are not there yet. */
export async function letReferToNothing(db: Queries): Promise<void> {
  await sql`pragma foreign_keys = off`.execute(db)
}

/** Deletes the rows of a tenant from a table. */
export async function deleteRows(tx: Queries, { name }: TableShape, tenantId: string): Promise<void> {
  await sql`delete from ${sql.table(name)} where tenant_id = ${tenantId}`.execute(tx)
}

/**
 * Notes every document of a tenant as deleted by a change, and every one that was deleted before as deleted by it too,
 * so that each index learns of it, whatever it has read last.
 */
export async function markDocumentsGone(
  tx: Queries,
  { documents, tombstones, idColumn }: DocumentTables,
  tenantId: string,
  seq: number,
): Promise<void> {
  const id = sql.ref(idColumn)
  await sql`
    insert into ${sql.table(tombstones)} (tenant_id, ${id}, seq)
    select tenant_id, id, seq from ${sql.table(documents)} as d where tenant_id = ${tenantId} and not exists (
      select 1 from ${sql.table(tombstones)} as t where t.tenant_id = ${tenantId} and t.${id} = d.id)`.execute(tx)
  await sql`update ${sql.table(tombstones)} set seq = ${seq} where tenant_id = ${tenantId}`.execute(tx)
}

/** Deletes the notes of documents that are there again. */
export async function unmarkDocuments(
  tx: Queries,
  { documents, tombstones, idColumn }: DocumentTables,
  tenantId: string,
): Promise<void> {
  await sql`
    delete from ${sql.table(tombstones)} where tenant_id = ${tenantId} and ${sql.ref(idColumn)} in (
      select id from ${sql.table(documents)} where tenant_id = ${tenantId})`.execute(tx)
}

/** Gives a tenant what the copy says of it, except what operators decide, which stays. */
export async function takeOver(tx: Queries, tenantId: string, source: Queries): Promise<void> {
  const { name, settings, embedding_model, model_chosen_at, embedding_choice } = await source
    .selectFrom('tenants')
    .select(['name', 'settings', 'embedding_model', 'model_chosen_at', 'embedding_choice'])
    .where('tenant_id', '=', tenantId)
    .executeTakeFirstOrThrow()
  await tx
    .updateTable('tenants')
    .set((eb) => ({
      name,
      settings,
      embedding_model,
      model_chosen_at,
      embedding_choice,
      settings_version: eb('settings_version', '+', 1),
    }))
    .where('tenant_id', '=', tenantId)
    .execute()
}

/** Counts rows of other tenants that refer to rows of a tenant. */
export async function foreignReferences(
  db: Queries,
  table: string,
  { to, columns }: TableShape['references'][number],
  tenantId: string,
): Promise<number> {
  const refersTo = sql.join(
    columns.map(({ here, there }) => sql`o.${sql.ref(there)} = r.${sql.ref(here)}`),
    sql` and `,
  )
  const { rows } = await sql<{ count: number }>`
    select count(*) as count from ${sql.table(table)} as r
    where r.tenant_id <> ${tenantId} and exists (
      select 1 from ${sql.table(to)} as o where o.tenant_id = ${tenantId} and ${refersTo})`.execute(db)
  return rows[0].count
}

/** Counts the rows of a table that are copied. */
export async function countOf(db: Queries, { name }: TableShape, tenantId: string | null): Promise<number> {
  const { rows } = await sql<{ count: number }>`
    select count(*) as count from ${sql.table(name)} where ${belongs(tenantId)}`.execute(db)
  return rows[0].count
}
