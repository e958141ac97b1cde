import type { Queries, Tx } from '../../platform/database/database.ts'
import * as store from './store.ts'

/** Tells whether a site sells products; retired ones do not count. */
export function siteHasProducts(db: Queries, tenantId: string, siteId: string): Promise<boolean> {
  return store.siteHasProducts(db, tenantId, siteId)
}

/** Tells whether a site has no product at all, not even a retired one. */
export function siteIsUnused(db: Queries, tenantId: string, siteId: string): Promise<boolean> {
  return store.siteIsUnused(db, tenantId, siteId)
}

/**
 * Deletes the retired products of a site that is deleted.
 * @param seq number of the change, by which the indexes find the tombstones of the products
 */
export function forgetRetiredOfSite(tx: Tx, tenantId: string, siteId: string, seq: number): Promise<void> {
  return store.forgetRetiredOfSite(tx, tenantId, siteId, seq)
}
