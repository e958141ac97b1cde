import type { Queries } from '../../src/platform/database/database.ts'

/** Returns the audited actions on a thing, oldest first. */
export async function auditedActions(queries: Queries, resourceId: string): Promise<string[]> {
  const rows = await queries
    .selectFrom('audit_log')
    .select('action')
    .where('resource_id', '=', resourceId)
    .orderBy('id')
    .execute()
  return rows.map(({ action }) => action)
}
