import type { Queries } from '../../../platform/database/database.ts'
import { Fault, type FaultDetail, referenceNotFound } from '../../../platform/faults.ts'

/** Null for what refers to nothing. */
interface References {
  readonly category_id: string | null
  readonly workspace_id: string | null
}

/**
 * Checks that what an entry points to exists in its tenant.
 * @param before references that are known to hold
 * @throws Fault invalid, at each that does not
 */
export async function require(db: Queries, tenantId: string, entry: References, before?: References): Promise<void> {
  const faults: FaultDetail[] = []
  for (const [field, table, what] of REFERENCES) {
    const id = entry[field]
    if (id === null || id === before?.[field] || (await exists(db, table, tenantId, id))) continue
    faults.push(...referenceNotFound(['body', field], what).details)
  }
  if (faults.length > 0) throw new Fault('invalid', faults)
}

const REFERENCES = [
  ['category_id', 'categories', 'Category'],
  ['workspace_id', 'workspaces', 'Workspace'],
] as const

/**
 * Checks that what an entry is in exists in its tenant.
 * @throws Fault invalid where a project does not, and where a site does not
 */
export async function requireMemberships(
  db: Queries,
  tenantId: string,
  projects: readonly string[],
  sites: readonly string[],
): Promise<void> {
  const faults: FaultDetail[] = []
  for (const [table, ids, what] of [
    ['projects', projects, 'Project'],
    ['sites', sites, 'Site'],
  ] as const) {
    for (const id of ids) {
      if (await exists(db, table, tenantId, id)) continue
      faults.push(...referenceNotFound(['body', table], what).details)
      break
    }
  }
  if (faults.length > 0) throw new Fault('invalid', faults)
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
