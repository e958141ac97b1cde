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
 * Lists categories by sort order, then name.
 * @param parentId lists the direct children of this category; null lists all categories of the tenant
 * @param page absent for all rows, which the command line reads
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

/** Lists a page of one level. @param parentId category whose direct children are the level; null for the top level */
export async function listLevel(
  db: Queries,
  tenantId: string,
  parentId: string | null,
  { after, limit }: PageOf<CategoryPlace>,
): Promise<CategoryRow[]> {
  return levelInOrder(db, tenantId, parentId, after).selectAll().limit(limit).execute()
}

/** Returns the id of the first category, in the order of lists, with this name below a parent; null without one. */
export async function findByName(
  db: Queries,
  tenantId: string,
  parentId: string | null,
  name: string,
): Promise<string | null> {
  const row = await levelInOrder(db, tenantId, parentId, null).select('id').where('name', '=', name).executeTakeFirst()
  return row?.id ?? null
}

/** Walks at most `rows` places on in one level. @returns the last place, null for none, and the number of places */
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

/** Tells whether the category has children. */
export async function hasChildren(db: Queries, tenantId: string, id: string): Promise<boolean> {
  const query = db.selectFrom('categories').where('tenant_id', '=', tenantId).where('parent_id', '=', id)
  return findsAny(query)
}

/** Tells whether an entry is in the category itself; its subtree does not count. */
export async function hasEntries(db: Queries, tenantId: string, categoryId: string): Promise<boolean> {
  const query = db.selectFrom('entries').where('tenant_id', '=', tenantId).where('category_id', '=', categoryId)
  return findsAny(query)
}

/** Lists at most `limit` categories after an id, with their parents, by id. */
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

/** Moves at most `limit` children of a category below another one. @returns the number of moved children */
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
