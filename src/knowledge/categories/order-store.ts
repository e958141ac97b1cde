import { sql } from 'kysely'
import type { Queries } from '../../platform/database/database.ts'
import { comesAfter } from '../../platform/database/page.ts'
import type { CategoryRow } from '../../platform/database/tables.ts'

const ORDER = ['sort_order', 'name', 'id'] as const

/** Category with its place among its siblings. */
export type Sibling = Pick<CategoryRow, 'id' | 'name' | 'sort_order'>

/** A level of the tree, which is the children of one category or the top level, without the category that moves. */
export interface Level {
  readonly tenantId: string
  /** Id of the category above the level; null for the top level. */
  readonly parentId: string | null
  /** Id of the category that moves. */
  readonly without: string
}

function inLevel(db: Queries, { tenantId, parentId, without }: Level) {
  return db
    .selectFrom('categories')
    .select(ORDER)
    .where('tenant_id', '=', tenantId)
    .where('parent_id', parentId === null ? 'is' : '=', parentId)
    .where('id', '!=', without)
}

/** Returns the category directly before `next`, or without `next` the last of the level; null when there is none. */
export async function siblingBefore(db: Queries, level: Level, next: Sibling | null): Promise<Sibling | null> {
  let query = inLevel(db, level)
  if (next !== null) {
    const place = sql.join(ORDER.map((column) => sql.ref(column)))
    query = query.where(sql<boolean>`(${place}) < (${sql.join(ORDER.map((column) => next[column]))})`)
  }
  const row = await query
    .orderBy('sort_order', 'desc')
    .orderBy('name', 'desc')
    .orderBy('id', 'desc')
    .limit(1)
    .executeTakeFirst()
  return row ?? null
}

/** Lists at most `limit` categories of a level after one, or from the first, in order. */
export async function siblingsAfter(
  db: Queries,
  level: Level,
  after: Sibling | null,
  limit: number,
): Promise<Sibling[]> {
  let query = inLevel(db, level)
  if (after !== null) {
    const place = ORDER.map((column) => after[column])
    query = query.where(comesAfter(ORDER, place))
  }
  return query.orderBy('sort_order').orderBy('name').orderBy('id').limit(limit).execute()
}

/** Sets `sort_order` of categories. @param places few enough for one statement */
export async function setOrder(
  tx: Queries,
  tenantId: string,
  places: readonly { readonly id: string; readonly order: number }[],
): Promise<void> {
  const cases = places.map(({ id, order }) => sql`when ${id} then cast(${order} as bigint)`)
  await tx
    .updateTable('categories')
    .set({ sort_order: sql<number>`case id ${sql.join(cases, sql` `)} end` })
    .where('tenant_id', '=', tenantId)
    .where(
      'id',
      'in',
      places.map(({ id }) => id),
    )
    .execute()
}
