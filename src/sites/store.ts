import type { Caller } from '../access/caller.ts'
import { inChunks } from '../database/chunks.ts'
import type { Queries } from '../database/database.ts'
import type { SiteRow } from '../database/tables.ts'
import { visibleRows } from '../entries/visible-rows.ts'

export async function findSite(db: Queries, tenantId: string, id: string): Promise<SiteRow | null> {
  const row = await sites(db, tenantId).where('id', '=', id).executeTakeFirst()
  return row ?? null
}

/** The site of that id or slug. A slug may look like an id; the id comes first. */
export async function findSiteNamed(db: Queries, tenantId: string, idOrSlug: string): Promise<SiteRow | null> {
  const rows = await sites(db, tenantId)
    .where((eb) => eb.or([eb('id', '=', idOrSlug.toLowerCase()), eb('slug', '=', idOrSlug)]))
    .execute()
  return rows.find((row) => row.slug !== idOrSlug) ?? rows[0] ?? null
}

/** All sites, the default one first, then by name. */
export async function listSites(db: Queries, tenantId: string): Promise<SiteRow[]> {
  return sites(db, tenantId).orderBy('is_default', 'desc').orderBy('name').orderBy('id').execute()
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

/** Takes the mark of the default site from whichever has it. */
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
  const row = await db
    .selectFrom('site_entries')
    .select('entry_id')
    .where('tenant_id', '=', tenantId)
    .where('site_id', '=', siteId)
    .limit(1)
    .executeTakeFirst()
  return row !== undefined
}

function visibleEntries(db: Queries, caller: Caller, siteId: string) {
  return db
    .selectFrom('entries')
    .innerJoin('site_entries as s', (join) =>
      join.onRef('s.tenant_id', '=', 'entries.tenant_id').onRef('s.entry_id', '=', 'entries.id'),
    )
    .where('entries.tenant_id', '=', caller.tenant.id)
    .where('s.site_id', '=', siteId)
    .where((eb) => visibleRows(eb as never, caller))
}

/**
 * Ids of the site's entries that the caller may see.
 * @param among to look for these alone, no more than one statement can name: a site may have far more
 */
export async function visibleEntryIds(
  db: Queries,
  caller: Caller,
  siteId: string,
  among?: readonly string[],
): Promise<string[]> {
  const all = visibleEntries(db, caller, siteId).select('entries.id')
  const rows = await (among === undefined ? all : all.where('entries.id', 'in', [...among])).execute()
  return rows.map((row) => row.id)
}

/** How many of the site's entries the caller may see. */
export async function countVisibleEntries(db: Queries, caller: Caller, siteId: string): Promise<number> {
  const row = await visibleEntries(db, caller, siteId)
    .select((eb) => eb.fn.countAll<number>().as('count'))
    .executeTakeFirstOrThrow()
  return row.count
}

export async function addEntries(tx: Queries, tenantId: string, siteId: string, ids: readonly string[]): Promise<void> {
  if (ids.length === 0) return
  await tx
    .insertInto('site_entries')
    .values(ids.map((id) => ({ tenant_id: tenantId, site_id: siteId, entry_id: id })))
    .onConflict((c) => c.doNothing())
    .execute()
}

/** Takes out one entry or several. */
export async function removeEntries(
  tx: Queries,
  tenantId: string,
  siteId: string,
  ids: readonly string[],
): Promise<void> {
  await inChunks(ids, (some) =>
    tx
      .deleteFrom('site_entries')
      .where('tenant_id', '=', tenantId)
      .where('site_id', '=', siteId)
      .where('entry_id', 'in', some)
      .execute(),
  )
}

/** The sites of some entries, in the order of their ids. */
export async function sitesOf(
  db: Queries,
  tenantId: string,
  entryIds: readonly string[],
): Promise<{ site_id: string; entry_id: string }[]> {
  if (entryIds.length === 0) return []
  return db
    .selectFrom('site_entries')
    .select(['site_id', 'entry_id'])
    .where('tenant_id', '=', tenantId)
    .where('entry_id', 'in', [...entryIds])
    .orderBy('site_id')
    .execute()
}
