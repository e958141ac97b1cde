import type { Queries } from '../../platform/database/database.ts'
import { inChunks } from '../../platform/database/chunks.ts'
import { comesAfter, type PageOf } from '../../platform/database/page.ts'
import { findsAny } from '../../platform/database/rows.ts'
import type { SiteRow } from '../../platform/database/tables.ts'
import type { SitePlace } from './place.ts'

export async function findSite(db: Queries, tenantId: string, id: string): Promise<SiteRow | null> {
  const row = await sites(db, tenantId).where('id', '=', id).executeTakeFirst()
  return row ?? null
}

/** Finds a site by id or slug. A slug may look like an id, so a site with that id comes first. */
export async function findSiteNamed(db: Queries, tenantId: string, idOrSlug: string): Promise<SiteRow | null> {
  const rows = await sites(db, tenantId)
    .where((eb) => eb.or([eb('id', '=', idOrSlug.toLowerCase()), eb('slug', '=', idOrSlug)]))
    .execute()
  return rows.find((row) => row.slug !== idOrSlug) ?? rows[0] ?? null
}

/** Returns those of the ids that are of sites of the tenant. */
export async function sitesAmong(db: Queries, tenantId: string, ids: readonly string[]): Promise<Set<string>> {
  const siteIds = new Set<string>()
  await inChunks([...new Set(ids)], async (some) => {
    const rows = await db
      .selectFrom('sites')
      .select('id')
      .where('tenant_id', '=', tenantId)
      .where('id', 'in', some)
      .execute()
    for (const { id } of rows) siteIds.add(id)
  })
  return siteIds
}

/**
 * Lists sites, the default one first, then by name.
 * @param page absent for all sites, which the command line reads
 */
export async function listSites(db: Queries, tenantId: string, page?: PageOf<SitePlace>): Promise<SiteRow[]> {
  let query = sites(db, tenantId).orderBy('is_default', 'desc').orderBy('name').orderBy('id')
  if (page !== undefined) query = query.limit(page.limit)
  if (page?.after) {
    const [isDefault, ...place] = page.after
    // The only default site comes first, so all sites after a place are others.
    query = query.where('is_default', '=', 0)
    if (isDefault === 0) query = query.where(comesAfter(['name', 'id'], place))
  }
  return query.execute()
}

/** Finds the site with the slug. */
export async function findSiteBySlug(db: Queries, tenantId: string, slug: string): Promise<SiteRow | null> {
  return (await sites(db, tenantId).where('slug', '=', slug).executeTakeFirst()) ?? null
}

function sites(db: Queries, tenantId: string) {
  return db.selectFrom('sites').selectAll().where('tenant_id', '=', tenantId)
}

export async function insertSite(tx: Queries, row: SiteRow): Promise<void> {
  await tx.insertInto('sites').values(row).execute()
}

export async function replaceSite(tx: Queries, row: SiteRow): Promise<void> {
  const { tenant_id: tenantId, id, ...columns } = row
  await tx.updateTable('sites').set(columns).where('tenant_id', '=', tenantId).where('id', '=', id).execute()
}

/** Leaves the tenant without a default site, until the same transaction sets another one. */
export async function clearDefault(tx: Queries, tenantId: string): Promise<void> {
  await tx
    .updateTable('sites')
    .set({ is_default: 0 })
    .where('tenant_id', '=', tenantId)
    .where('is_default', '=', 1)
    .execute()
}

export async function deleteSite(tx: Queries, tenantId: string, id: string): Promise<void> {
  await tx.deleteFrom('sites').where('tenant_id', '=', tenantId).where('id', '=', id).execute()
}

export async function siteHasEntries(db: Queries, tenantId: string, siteId: string): Promise<boolean> {
  const query = db.selectFrom('site_entries').where('tenant_id', '=', tenantId).where('site_id', '=', siteId)
  return findsAny(query)
}
