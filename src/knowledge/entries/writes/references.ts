import type { Queries } from '../../../platform/database/database.ts'
import { referenceNotFound } from '../../../platform/faults.ts'

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

/**
 * Checks that what an entry is in exists in its tenant.
 * @throws Fault invalid at the first project or site that does not
 */
export async function requireGatherings(
  db: Queries,
  tenantId: string,
  projects: readonly string[],
  sites: readonly string[],
): Promise<void> {
  for (const id of projects) {
    if (!(await exists(db, 'projects', tenantId, id))) throw referenceNotFound(['body', 'projects'], 'Project')
  }
  for (const id of sites) {
    if (!(await exists(db, 'sites', tenantId, id))) throw referenceNotFound(['body', 'sites'], 'Site')
  }
}

type Referenced = 'categories' | 'workspaces' | 'projects' | 'sites'

async function exists(db: Queries, table: Referenced, tenantId: string, id: string): Promise<boolean> {
  const row = await db
    .selectFrom(table)
    .select('id')
    .where('tenant_id', '=', tenantId)
    .where('id', '=', id)
    .executeTakeFirst()
  return row !== undefined
}
