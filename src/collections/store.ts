import type { Queries } from '../database/database.ts'
import type { NamedRow } from '../database/tables.ts'

export type CollectionTable = 'projects' | 'workspaces'

export async function findCollection(
  db: Queries,
  table: CollectionTable,
  tenantId: string,
  id: string,
): Promise<NamedRow | null> {
  return (
    (await db
      .selectFrom(table)
      .selectAll()
      .where('tenant_id', '=', tenantId)
      .where('id', '=', id)
      .executeTakeFirst()) ?? null
  )
}

export async function listCollections(db: Queries, table: CollectionTable, tenantId: string): Promise<NamedRow[]> {
  return db.selectFrom(table).selectAll().where('tenant_id', '=', tenantId).orderBy('name').orderBy('id').execute()
}

export async function insertCollection(tx: Queries, table: CollectionTable, row: NamedRow): Promise<void> {
  await tx.insertInto(table).values(row).execute()
}

export async function replaceCollection(tx: Queries, table: CollectionTable, row: NamedRow): Promise<void> {
  const { tenant_id: tenantId, id, ...columns } = row
  await tx.updateTable(table).set(columns).where('tenant_id', '=', tenantId).where('id', '=', id).execute()
}

export async function deleteCollection(
  tx: Queries,
  table: CollectionTable,
  tenantId: string,
  id: string,
): Promise<void> {
  await tx.deleteFrom(table).where('tenant_id', '=', tenantId).where('id', '=', id).execute()
}
