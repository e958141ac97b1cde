import type { Queries } from '../../platform/database/database.ts'
import { comesAfter, type PageOf } from '../../platform/database/page.ts'
import type { NamedRow } from '../../platform/database/tables.ts'
import type { NamedPlace } from './place.ts'

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

/**
 * Lists projects or workspaces, by name.
 * @param page absent for all, which the command line reads
 */
export async function listCollections(
  db: Queries,
  table: CollectionTable,
  tenantId: string,
  page?: PageOf<NamedPlace>,
): Promise<NamedRow[]> {
  let query = db.selectFrom(table).selectAll().where('tenant_id', '=', tenantId).orderBy('name').orderBy('id')
  if (page !== undefined) query = query.limit(page.limit)
  if (page?.after) query = query.where(comesAfter(['name', 'id'], page.after))
  return query.execute()
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
