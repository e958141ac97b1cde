import type { Queries } from '../../../platform/database/database.ts'
import { Fault, type FaultDetail, referenceNotFound } from '../../../platform/faults.ts'

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
export async function requireMemberships(
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

/** What a list or a search may be restricted to, as callers name it. */
interface Restrictions {
  readonly category_id?: string | null
  readonly project_id?: string | null
  readonly site_id?: string | null
}

const RESTRICTIONS = [
  ['category_id', 'categories', 'Category'],
  ['project_id', 'projects', 'Project'],
  ['site_id', 'sites', 'Site'],
] as const

/**
 * Checks that what a list or a search is restricted to exists in its tenant.
 * @param part of the request that names it
 * @throws Fault invalid, at each that does not
 */
export async function requireRestrictions(
  db: Queries,
  tenantId: string,
  restrictions: Restrictions,
  part: 'body' | 'query',
): Promise<void> {
  const faults: FaultDetail[] = []
  for (const [field, table, what] of RESTRICTIONS) {
    const id = restrictions[field]
    if (id === undefined || id === null || (await exists(db, table, tenantId, id))) continue
    faults.push(...referenceNotFound([part, field], what).details)
  }
  if (faults.length > 0) throw new Fault('invalid', faults)
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
