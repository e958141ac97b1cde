import { isDeepStrictEqual } from 'node:util'
import type { Caller } from '../../platform/access/caller.ts'
import { maySearchSite } from '../../platform/access/bound-sites.ts'
import { type Actor, recordAudit } from '../../platform/audit/audit.ts'
import type { Database, Queries, Tx } from '../../platform/database/database.ts'
import { type Page, type PageOf, readPage } from '../../platform/database/page.ts'
import type { SiteRow } from '../../platform/database/tables.ts'
import { advanceWatermark } from '../../platform/database/watermark.ts'
import { FAULTS_MAX } from '../../platform/contract/check-faults.ts'
import { conflict, Fault, invalid, notFound, referenceNotFound } from '../../platform/faults.ts'
import { mapInSlices } from '../../platform/threads/slices.ts'
import type { Site, SiteCreate, SiteUpdate } from './contract.ts'
import { type SitePlace, placeOf } from './place.ts'
import { newSite, siteOf } from './site.ts'
import * as store from './store.ts'

const CONFIG_BYTES_MAX = 64 * 1024

/** Functions of products that sites need. They are passed in, since sites may not import products. */
export interface SiteProducts {
  siteHasProducts(tx: Tx, tenantId: string, siteId: string): Promise<boolean>
  forgetRetiredOfSite(tx: Tx, tenantId: string, siteId: string, seq: number): Promise<void>
}

/** Rules of sites: shops, pages and intranets of a tenant, exactly one of which is its default. */
export class SiteRules {
  readonly #database: Database
  readonly #products: SiteProducts

  constructor(database: Database, products: SiteProducts) {
    this.#database = database
    this.#products = products
  }

  async create(caller: Caller, input: SiteCreate): Promise<Site> {
    checkConfig(input.config)
    return this.#write(caller, async (tx) => {
      const { id, settings } = caller.tenant
      const row = newSite({ id, language: settings.language }, input)
      await requireFreeSlug(tx, row)
      if (row.is_default === 1) await store.clearDefault(tx, id)
      await store.insertSite(tx, row)
      await audit(tx, caller, 'create', row.id)
      return siteOf(row)
    })
  }

  async read(caller: Caller, id: string): Promise<Site> {
    return siteOf(await requireSite(this.#database.queries, caller.tenant.id, id))
  }

  /** Returns a page of sites, the default one first, then by name. */
  async list(caller: Caller, page: PageOf<SitePlace>): Promise<Page<Site, SitePlace>> {
    const { id: tenantId } = caller.tenant
    const read = (after: SitePlace | null, limit: number) =>
      store.listSites(this.#database.queries, tenantId, { after, limit })
    const { items, next } = await readPage(tenantId, page, read, placeOf)
    return { items: await mapInSlices(tenantId, items, siteOf), next }
  }

  async update(caller: Caller, id: string, patch: SiteUpdate): Promise<Site> {
    checkConfig(patch.config)
    return this.#write(caller, async (tx) => {
      const before = await requireSite(tx, caller.tenant.id, id)
      const after = changedRow(before, patch)
      if (isDeepStrictEqual({ ...before }, after)) return siteOf(before)
      if (after.slug !== before.slug) await requireFreeSlug(tx, after)
      if (after.is_default !== before.is_default) await store.clearDefault(tx, caller.tenant.id)
      await store.replaceSite(tx, after)
      await audit(tx, caller, 'update', id)
      return siteOf(after)
    })
  }

  /** Deletes a site without products and entries. Its retired products are deleted with it. */
  async remove(caller: Caller, id: string): Promise<void> {
    await this.#write(caller, async (tx, seq) => {
      const row = await requireSite(tx, caller.tenant.id, id)
      const refuse = (msg: string) => conflict(['path', 'site_id'], msg)
      if (row.is_default === 1) throw refuse('The default site cannot be deleted')
      if (await this.#products.siteHasProducts(tx, caller.tenant.id, id)) throw refuse('The site still has products')
      if (await store.siteHasEntries(tx, caller.tenant.id, id)) throw refuse('The site still has entries')
      await this.#products.forgetRetiredOfSite(tx, caller.tenant.id, id, seq)
      await store.deleteSite(tx, caller.tenant.id, id)
      await audit(tx, caller, 'delete', id)
    })
  }

  /** Locks the tenant's watermark first, so that two sites cannot become the default at once. */
  #write<T>(caller: Caller, work: (tx: Tx, seq: number) => Promise<T>): Promise<T> {
    return this.#database.write(async (tx) => {
      const { seq } = await advanceWatermark(tx, caller.tenant.id)
      return work(tx, seq)
    }, caller.tenant.id)
  }
}

export async function requireSite(db: Queries, tenantId: string, id: string): Promise<SiteRow> {
  const row = await store.findSite(db, tenantId, id)
  if (row === null) throw notFound(['path', 'site_id'], 'Site')
  return row
}

/**
 * Requires a site that a request refers to by its id.
 * @param part part of the request with the `site_id`
 * @throws Fault invalid at `site_id` when there is no such site
 */
export async function requireSiteReference(
  db: Queries,
  tenantId: string,
  id: string,
  part: 'query' | 'body',
): Promise<void> {
  if ((await store.findSite(db, tenantId, id)) === null) throw referenceNotFound([part, 'site_id'], 'Site')
}

/** Returns the site with an id or slug; null when there is none. */
export function siteNamed(db: Queries, tenantId: string, idOrSlug: string): Promise<SiteRow | null> {
  return store.findSiteNamed(db, tenantId, idOrSlug)
}

/** Returns all sites of a tenant, the default one first, then by name. */
export function everySite(db: Queries, tenantId: string): Promise<SiteRow[]> {
  return store.listSites(db, tenantId)
}

/**
 * Returns the site that a request names in its `site_id`.
 * @param part part of the request with the `site_id`
 * @throws Fault invalid at `site_id` when no site has the id or slug
 */
export async function requireSiteNamed(
  db: Queries,
  tenantId: string,
  idOrSlug: string,
  part: 'query' | 'body' = 'query',
): Promise<SiteRow> {
  const row = await store.findSiteNamed(db, tenantId, idOrSlug)
  if (row === null) throw referenceNotFound([part, 'site_id'], 'Site')
  return row
}

/**
 * Returns the id of the site that a search is for: the site that it names, or the only site that a publishable key is
 * bound to.
 * @param part part of the request with the `site_id`
 * @returns null for every site that the caller may search
 * @throws Fault invalid at `site_id` for an unknown site; for a publishable key, also for sites that it is not bound to
 */
export async function searchedSite(
  db: Queries,
  caller: Pick<Caller, 'tenant' | 'publishable'>,
  idOrSlug: string | null,
  part: 'query' | 'body',
): Promise<string | null> {
  const keySiteIds = caller.publishable?.siteIds ?? null
  if (idOrSlug === null) return keySiteIds?.length === 1 ? keySiteIds[0] : null
  const { id } = await requireSiteNamed(db, caller.tenant.id, idOrSlug, part)
  if (!maySearchSite(caller, id)) throw referenceNotFound([part, 'site_id'], 'Site')
  return id
}

/**
 * Checks that the sites that a filter names exist for the caller.
 * @throws Fault invalid at the id of each unknown site; for a publishable key, also of sites that it is not bound to
 */
export async function requireSites(
  db: Queries,
  caller: Pick<Caller, 'tenant' | 'publishable'>,
  named: readonly { readonly id: string; readonly loc: readonly string[] }[],
): Promise<void> {
  if (named.length === 0) return
  const ids = named.map(({ id }) => id)
  const existingIds = await store.sitesAmong(db, caller.tenant.id, ids)
  const faults = named
    .filter(({ id }) => !existingIds.has(id) || !maySearchSite(caller, id))
    .flatMap(({ loc }) => referenceNotFound(loc, 'Site').details)
  if (faults.length > 0) throw new Fault('invalid', faults.slice(0, FAULTS_MAX))
}

function changedRow(before: SiteRow, patch: SiteUpdate): SiteRow {
  if (patch.is_default === false && before.is_default === 1)
    throw invalid(
      ['body', 'is_default'],
      'value_error',
      'One site is the default; make another one the default instead',
    )
  return {
    ...before,
    slug: patch.slug ?? before.slug,
    name: patch.name ?? before.name,
    domain: patch.domain === undefined ? before.domain : patch.domain,
    language: patch.language ?? before.language,
    site_type: patch.site_type ?? before.site_type,
    platform: patch.platform === undefined ? before.platform : patch.platform,
    config: patch.config === undefined ? before.config : JSON.stringify(patch.config),
    is_default: patch.is_default === true ? 1 : before.is_default,
  }
}

function checkConfig(config: Readonly<Record<string, unknown>> | undefined): void {
  if (config === undefined || Buffer.byteLength(JSON.stringify(config)) <= CONFIG_BYTES_MAX) return
  const msg = `Config should have at most ${CONFIG_BYTES_MAX} bytes as JSON`
  throw invalid(['body', 'config'], 'json_too_large', msg)
}

async function requireFreeSlug(tx: Tx, { tenant_id: tenantId, id, slug }: SiteRow): Promise<void> {
  const holder = await store.findSiteBySlug(tx, tenantId, slug)
  if (holder !== null && holder.id !== id) throw conflict(['body', 'slug'], 'Another site has this slug')
}

async function audit(tx: Tx, caller: Caller, action: 'create' | 'update' | 'delete', id: string): Promise<void> {
  await recordAudit(tx, caller.tenant.id, caller, [{ action, resourceType: 'site', resourceId: id }])
}

/** Creates the default site of a new tenant. */
export async function addDefaultSite(tx: Tx, tenant: { id: string; language: string }, actor: Actor): Promise<void> {
  const row = newSite(tenant, { slug: 'default', name: 'Default', is_default: true })
  await store.insertSite(tx, row)
  await recordAudit(tx, tenant.id, actor, [{ action: 'create', resourceType: 'site', resourceId: row.id }])
}
