import { inChunks } from '../../../platform/database/chunks.ts'
import type { Queries } from '../../../platform/database/database.ts'

/** Tables with rows that entries refer to. */
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

/** Returns those of the ids that exist. */
export async function existing(
  db: Queries,
  table: Referenced,
  tenantId: string,
  ids: readonly string[],
): Promise<Set<string>> {
  const existingIds = new Set<string>()
  await inChunks(ids, async (some) => {
    const rows = await db
      .selectFrom(table)
      .select('id')
      .where('tenant_id', '=', tenantId)
      .where('id', 'in', some)
      .execute()
    for (const { id } of rows) existingIds.add(id)
  })
  return existingIds
}
