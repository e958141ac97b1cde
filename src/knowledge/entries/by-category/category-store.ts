import type { Queries } from '../../../platform/database/database.ts'

/** Ids of at most so many entries of a category itself. */
export async function idsInCategory(
  db: Queries,
  tenantId: string,
  categoryId: string,
  limit: number,
): Promise<string[]> {
  const rows = await db
    .selectFrom('entries')
    .select('id')
    .where('tenant_id', '=', tenantId)
    .where('category_id', '=', categoryId)
    .limit(limit)
    .execute()
  return rows.map(({ id }) => id)
}
