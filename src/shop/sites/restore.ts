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
 * restored site replaces the unused one. If the site with the slug is in use, it stays in place of the restored one.
 * @param products tells whether a site has products; an argument, since sites may not import products
 * @returns the id that the site has here
 * @throws Fault when another site has the id
 */
export async function restoreSite(
  tx: Tx,
  tenantId: string,
  site: Omit<Site, 'tenant_id'>,
  products: UnusedSites,
): Promise<{ status: 'created' | 'unchanged'; id: string }> {
  const row = rowOf(tenantId, site)
  const stored = await store.findSite(tx, tenantId, site.id)
  if (stored !== null) {
    // The comparison leaves out `is_default`, because another site may be the default here.
    if (isDeepStrictEqual({ ...stored, is_default: 0 }, { ...row, is_default: 0 }))
      return { status: 'unchanged', id: site.id }
    throw conflict(['body', 'id'], 'Another site here has this id. It stays unchanged')
  }
  const sites = await store.listSites(tx, tenantId)
  const namesake = sites.find(({ slug }) => slug === site.slug)
  if (namesake !== undefined && !(await isUnused(tx, products, namesake)))
    return { status: 'unchanged', id: namesake.id }
  if (namesake !== undefined) await store.deleteSite(tx, tenantId, namesake.id)
  const others = sites.filter((other) => other !== namesake)
  // Exactly one site is the default: the present one, unless it was just replaced or is unused.
  const defaultSite = others.find(({ is_default }) => is_default === 1)
  if (row.is_default === 1 && defaultSite !== undefined) {
    if (await isUnused(tx, products, defaultSite)) await store.clearDefault(tx, tenantId)
    else row.is_default = 0
  }
  if (defaultSite === undefined) row.is_default = 1
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
