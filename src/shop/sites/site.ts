import { tidyLanguage } from '../../platform/contract/language.ts'
import type { SiteRow } from '../../platform/database/tables.ts'
import { newId } from '../../platform/ids.ts'
import type { Site, SiteCreate } from './contract.ts'

export function siteOf(row: SiteRow): Site {
  return {
    id: row.id,
    tenant_id: row.tenant_id,
    slug: row.slug,
    name: row.name,
    domain: row.domain,
    language: row.language,
    site_type: row.site_type as Site['site_type'],
    platform: row.platform,
    config: JSON.parse(row.config) as Record<string, unknown>,
    is_default: row.is_default === 1,
    created_at: new Date(row.created_at).toISOString(),
  }
}

/** Returns the row of a new site, with defaults for absent fields. */
export function newSite(tenant: { id: string; language: string }, input: SiteCreate): SiteRow {
  return {
    tenant_id: tenant.id,
    id: newId(),
    slug: input.slug,
    name: input.name,
    domain: input.domain ?? null,
    language: input.language ?? tidyLanguage(tenant.language),
    site_type: input.site_type ?? 'website',
    platform: input.platform ?? null,
    config: JSON.stringify(input.config ?? {}),
    is_default: input.is_default === true ? 1 : 0,
    created_at: Date.now(),
  }
}
