import type { Queries } from '../../../platform/database/database.ts'

/** What entries refer to. */
type Referenced = 'categories' | 'workspaces' | 'projects' | 'sites'

export async function exists(db: Queries, table: Referenced, tenantId: string, id: string): Promise<boolean> {
  const row = await db
    .selectFrom(table)
    .select('id')
    .where('tenant_id', '=', tenantId)
    .where('id', '=', id)
    .executeTakeFirst()
  return row !== undefined
}
