import { isDeepStrictEqual } from 'node:util'
import { OPERATOR, recordAudit } from '../../platform/audit/audit.ts'
import { tidyLanguage } from '../../platform/contract/language.ts'
import type { Tx } from '../../platform/database/database.ts'
import type { SiteRow } from '../../platform/database/tables.ts'
import { conflict } from '../../platform/faults.ts'
import type { Site } from './contract.ts'
import * as store from './store.ts'

interface UnusedSites {
  siteIsUnused(tx: Tx, tenantId: string, siteId: string): Promise<boolean>
}

/**
 * Restores a site of an export. If an unused site has the same slug, such as the default site of a new tenant, the
 * restored site replaces it. If that site is in use, it stays and stands for the restored one.
 * @returns the id the site has here
 * @param products tells whether a site has products; an argument, since sites may not import products
 * @throws Fault when another site has the id
 */
export async function restoreSite(
  tx: Tx,
  tenantId: string,
  site: Omit<Site, 'tenant_id'>,
  products: UnusedSites,
): Promise<{ status: 'created' | 'unchanged'; id: string }> {
  const row = rowOf(tenantId, site)
  const known = await store.findSite(tx, tenantId, site.id)
  if (known !== null) {
    // Another site may be the default here.
    if (isDeepStrictEqual({ ...known, is_default: 0 }, { ...row, is_default: 0 }))
      return { status: 'unchanged', id: site.id }
    throw conflict(['body', 'id'], 'Another site here has this id. It stays unchanged')
  }
  const sites = await store.listSites(tx, tenantId)
  const same = sites.find(({ slug }) => slug === site.slug)
  if (same !== undefined && !(await isUnused(tx, products, same))) return { status: 'unchanged', id: same.id }
  if (same !== undefined) await store.deleteSite(tx, tenantId, same.id)
  const others = sites.filter((other) => other !== same)
  // Exactly one site is the default: the present one, unless it was just replaced or is unused.
  const holder = others.find(({ is_default }) => is_default === 1)
  if (row.is_default === 1 && holder !== undefined) {
    if (await isUnused(tx, products, holder)) await store.clearDefault(tx, tenantId)
    else row.is_default = 0
  }
  if (holder === undefined) row.is_default = 1
  await store.insertSite(tx, row)
  await recordAudit(tx, tenantId, OPERATOR, [{ action: 'create', resourceType: 'site', resourceId: row.id }])
  return { status: 'created', id: row.id }
}

async function isUnused(tx: Tx, products: UnusedSites, { tenant_id: tenantId, id }: SiteRow): Promise<boolean> {
  return (await products.siteIsUnused(tx, tenantId, id)) && !(await store.siteHasEntries(tx, tenantId, id))
}

function rowOf(tenantId: string, site: Omit<Site, 'tenant_id'>): SiteRow {
  return {
    tenant_id: tenantId,
    id: site.id,
    slug: site.slug,
    name: site.name,
    domain: site.domain,
    language: tidyLanguage(site.language),
    site_type: site.site_type,
    platform: site.platform,
    config: JSON.stringify(site.config),
    is_default: site.is_default ? 1 : 0,
    created_at: Date.parse(site.created_at),
  }
}
