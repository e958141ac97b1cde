import type { Queries } from '../../../platform/database/database.ts'
import { Fault, type FaultDetail, referenceNotFound } from '../../../platform/faults.ts'
import { FAULTS_MAX } from '../../../platform/contract/check-faults.ts'
import type { NamedId } from '../../../search/request/filter.ts'
import { existing, exists } from './reference-store.ts'

/** References of an entry; null for a reference that it does not have. */
interface References {
  readonly category_id: string | null
  readonly workspace_id: string | null
}

/**
 * Checks that the category and workspace of an entry exist in its tenant.
 * @param before stored references, which are known to exist
 * @throws Fault invalid, at each reference that does not exist
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
 * Checks that the projects and sites of an entry exist in its tenant.
 * @throws Fault invalid, at the first project and the first site that does not exist
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

/** Filters of a list or search that name stored rows. */
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
 * Checks that the categories, projects and sites that a filter names exist in the tenant.
 * @throws Fault invalid, at each id that does not exist
 */
export async function requireFilterIds(db: Queries, tenantId: string, ids: readonly NamedId[]): Promise<void> {
  const faults: FaultDetail[] = []
  for (const [field, table, what] of RESTRICTIONS) {
    const named = ids.filter((each) => each.field === field)
    if (named.length === 0) continue
    const existingIds = await existing(
      db,
      table,
      tenantId,
      named.map(({ id }) => id),
    )
    for (const { id, loc } of named) if (!existingIds.has(id)) faults.push(...referenceNotFound(loc, what).details)
  }
  if (faults.length > 0) throw new Fault('invalid', faults.slice(0, FAULTS_MAX))
}

/**
 * Checks that the category, project and site that a list or search filters by exist in the tenant.
 * @param place part of the request that is the filters, or the path to the filters in the request
 * @throws Fault invalid, at each filter whose target does not exist
 */
export async function requireRestrictions(
  db: Queries,
  tenantId: string,
  restrictions: Restrictions,
  place: 'body' | 'query' | readonly string[],
): Promise<void> {
  const faults: FaultDetail[] = []
  for (const [field, table, what] of RESTRICTIONS) {
    const id = restrictions[field]
    if (id === undefined || id === null || (await exists(db, table, tenantId, id))) continue
    faults.push(...referenceNotFound([...[place].flat(), field], what).details)
  }
  if (faults.length > 0) throw new Fault('invalid', faults)
}
