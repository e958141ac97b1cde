import type { Queries } from '../../platform/database/database.ts'
import { comesAfter, type PageOf } from '../../platform/database/page.ts'
import { findsAny } from '../../platform/database/rows.ts'
import type { CategoryRow } from '../../platform/database/tables.ts'

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

/** Place of a category in the order of lists. */
export type CategoryPlace = readonly [sortOrder: number, name: string, id: string]

const ORDER = ['sort_order', 'name', 'id'] as const

export function placeOf({ sort_order: order, name, id }: Pick<CategoryRow, (typeof ORDER)[number]>): CategoryPlace {
  return [order, name, id]
}

function inOrder(db: Queries, tenantId: string, parentId: string | null, after: CategoryPlace | null) {
  let query = db.selectFrom('categories').where('tenant_id', '=', tenantId)
  if (parentId !== null) query = query.where('parent_id', '=', parentId)
  if (after !== null) query = query.where(comesAfter(ORDER, after))
  return query.orderBy('sort_order').orderBy('name').orderBy('id')
}

/**
 * Categories, or the direct children of one, by sort order, then name.
 * @param page absent: all categories, for the command line
 */
export async function listCategories(
  db: Queries,
  tenantId: string,
  parentId: string | null,
  page?: PageOf<CategoryPlace>,
): Promise<CategoryRow[]> {
  const query = inOrder(db, tenantId, parentId, page?.after ?? null).selectAll()
  return (page === undefined ? query : query.limit(page.limit)).execute()
}

/** Walks up to `rows` places on from one. @returns the place it reached, and how many places it walked */
export async function placeAfter(
  db: Queries,
  tenantId: string,
  parentId: string | null,
  after: CategoryPlace | null,
  rows: number,
): Promise<{ place: CategoryPlace | null; count: number }> {
  const places = await inOrder(db, tenantId, parentId, after).select(ORDER).limit(rows).execute()
  const last = places.at(-1)
  return { place: last === undefined ? null : placeOf(last), count: places.length }
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

/** Whether the category has children. */
export async function hasChildren(db: Queries, tenantId: string, id: string): Promise<boolean> {
  const query = db.selectFrom('categories').where('tenant_id', '=', tenantId).where('parent_id', '=', id)
  return findsAny(query)
}

/** Whether an entry is in the category itself; its subtree does not count. */
export async function hasEntries(db: Queries, tenantId: string, categoryId: string): Promise<boolean> {
  const query = db.selectFrom('entries').where('tenant_id', '=', tenantId).where('category_id', '=', categoryId)
  return findsAny(query)
}
