import type { Queries } from '../../platform/database/database.ts'
import { comesAfter, type PageOf } from '../../platform/database/page.ts'
import { findsAny } from '../../platform/database/rows.ts'
import type { CategoryRow } from '../../platform/database/tables.ts'
import { type CategoryPlace, placeOf } from './place.ts'

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

const ORDER = ['sort_order', 'name', 'id'] as const

function inOrder(db: Queries, tenantId: string, after: CategoryPlace | null) {
  let query = db.selectFrom('categories').where('tenant_id', '=', tenantId)
  if (after !== null) query = query.where(comesAfter(ORDER, after))
  return query.orderBy('sort_order').orderBy('name').orderBy('id')
}

/** @param parentId null for the top level */
function levelInOrder(db: Queries, tenantId: string, parentId: string | null, after: CategoryPlace | null) {
  return inOrder(db, tenantId, after).where('parent_id', parentId === null ? 'is' : '=', parentId)
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
  const all = inOrder(db, tenantId, page?.after ?? null).selectAll()
  const query = parentId === null ? all : all.where('parent_id', '=', parentId)
  return (page === undefined ? query : query.limit(page.limit)).execute()
}

/** A page of one level: the direct children of a category, or of null the top level. */
export async function listLevel(
  db: Queries,
  tenantId: string,
  parentId: string | null,
  { after, limit }: PageOf<CategoryPlace>,
): Promise<CategoryRow[]> {
  return levelInOrder(db, tenantId, parentId, after).selectAll().limit(limit).execute()
}

/** Id of the category with this name below a parent, of several the first in the order of lists; null without one. */
export async function findByName(
  db: Queries,
  tenantId: string,
  parentId: string | null,
  name: string,
): Promise<string | null> {
  const row = await levelInOrder(db, tenantId, parentId, null).select('id').where('name', '=', name).executeTakeFirst()
  return row?.id ?? null
}

/** Walks up to `rows` places of one level on from one. @returns the place it reached, and how many places it walked */
export async function placeAfter(
  db: Queries,
  tenantId: string,
  parentId: string | null,
  after: CategoryPlace | null,
  rows: number,
): Promise<{ place: CategoryPlace | null; count: number }> {
  const places = await levelInOrder(db, tenantId, parentId, after).select(ORDER).limit(rows).execute()
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

/** Categories and their parents, at most `limit` after an id, by id. */
export async function parentsAfter(
  db: Queries,
  tenantId: string,
  afterId: string,
  limit: number,
): Promise<Pick<CategoryRow, 'id' | 'parent_id'>[]> {
  return db
    .selectFrom('categories')
    .select(['id', 'parent_id'])
    .where('tenant_id', '=', tenantId)
    .where('id', '>', afterId)
    .orderBy('id')
    .limit(limit)
    .execute()
}

/** Moves at most `limit` children of a category below another one. @returns how many there were */
export async function moveChildren(
  tx: Queries,
  tenantId: string,
  { fromId, intoId, updatedAt }: { readonly fromId: string; readonly intoId: string; readonly updatedAt: number },
  limit: number,
): Promise<number> {
  const children = await tx
    .selectFrom('categories')
    .select('id')
    .where('tenant_id', '=', tenantId)
    .where('parent_id', '=', fromId)
    .limit(limit)
    .execute()
  if (children.length === 0) return 0
  const ids = children.map(({ id }) => id)
  await tx
    .updateTable('categories')
    .set({ parent_id: intoId, updated_at: updatedAt })
    .where('tenant_id', '=', tenantId)
    .where('id', 'in', ids)
    .execute()
  return ids.length
}
