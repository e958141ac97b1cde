import type { Queries } from '../database/database.ts'
import type { CategoryRow } from '../database/tables.ts'

export async function findCategory(db: Queries, tenantId: string, id: string): Promise<CategoryRow | null> {
  return (
    (await db
      .selectFrom('categories')
      .selectAll()
      .where('tenant_id', '=', tenantId)
      .where('id', '=', id)
      .executeTakeFirst()) ?? null
  )
}

/** All categories, or the direct children of one; by sort order, then name. */
export async function listCategories(db: Queries, tenantId: string, parentId: string | null): Promise<CategoryRow[]> {
  let query = db.selectFrom('categories').selectAll().where('tenant_id', '=', tenantId)
  if (parentId !== null) query = query.where('parent_id', '=', parentId)
  return query.orderBy('sort_order').orderBy('name').orderBy('id').execute()
}

export async function insertCategory(tx: Queries, row: CategoryRow): Promise<void> {
  await tx.insertInto('categories').values(row).execute()
}

export async function replaceCategory(tx: Queries, row: CategoryRow): Promise<void> {
  const { tenant_id: tenantId, id, ...columns } = row
  await tx.updateTable('categories').set(columns).where('tenant_id', '=', tenantId).where('id', '=', id).execute()
}

export async function deleteCategory(tx: Queries, tenantId: string, id: string): Promise<void> {
  await tx.deleteFrom('categories').where('tenant_id', '=', tenantId).where('id', '=', id).execute()
}

/** The category and everything below it. */
export async function subtreeIds(db: Queries, tenantId: string, id: string): Promise<string[]> {
  const rows = await db
    .withRecursive('subtree(id)', (cte) =>
      cte
        .selectFrom('categories')
        .select('id')
        .where('tenant_id', '=', tenantId)
        .where('id', '=', id)
        .union(
          cte
            .selectFrom('categories as c')
            .innerJoin('subtree as s', 's.id', 'c.parent_id')
            .select('c.id')
            .where('c.tenant_id', '=', tenantId),
        ),
    )
    .selectFrom('subtree')
    .select('id')
    .execute()
  return rows.map((row) => row.id)
}

/** Whether any entry is in the category itself. */
export async function hasEntries(db: Queries, tenantId: string, categoryId: string): Promise<boolean> {
  const row = await db
    .selectFrom('entries')
    .select('id')
    .where('tenant_id', '=', tenantId)
    .where('category_id', '=', categoryId)
    .limit(1)
    .executeTakeFirst()
  return row !== undefined
}
