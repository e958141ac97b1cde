import type { Queries } from '../../../platform/database/database.ts'

/** Returns ids of at most `limit` entries of a category itself, without its subtree. */
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
