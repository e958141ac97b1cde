import type { Queries } from '../database/database.ts'
import { referenceNotFound } from '../faults.ts'

interface References {
  readonly category_id: string
  readonly workspace_id: string | null
}

/**
 * Checks that what an entry points to exists in its tenant.
 * @param before references that are known to hold
 * @throws Fault invalid at the first that does not
 */
export async function require(db: Queries, tenantId: string, entry: References, before?: References): Promise<void> {
  if (entry.category_id !== before?.category_id && !(await exists(db, 'categories', tenantId, entry.category_id))) {
    throw referenceNotFound(['body', 'category_id'], 'Category')
  }
  const { workspace_id: workspaceId } = entry
  if (
    workspaceId !== null &&
    workspaceId !== before?.workspace_id &&
    !(await exists(db, 'workspaces', tenantId, workspaceId))
  ) {
    throw referenceNotFound(['body', 'workspace_id'], 'Workspace')
  }
}

async function exists(db: Queries, table: 'categories' | 'workspaces', tenantId: string, id: string): Promise<boolean> {
  const row = await db
    .selectFrom(table)
    .select('id')
    .where('tenant_id', '=', tenantId)
    .where('id', '=', id)
    .executeTakeFirst()
  return row !== undefined
}
