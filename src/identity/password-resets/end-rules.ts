import type { Queries, Tx } from '../../platform/database/database.ts'
import * as store from './store.ts'

/** Ends a user's link for a new password. A change of the user's password or access calls this. */
export function endResetsOf(tx: Tx, tenantId: string, userId: string): Promise<void> {
  return store.forgetResets(tx, tenantId, userId)
}

/** Ends the links for new passwords of all users of a tenant. */
export function endResetsOfTenant(tx: Tx, tenantId: string): Promise<void> {
  return store.forgetResetsOf(tx, tenantId)
}

/**
 * Deletes, of all working tenants, the links for new passwords that have ended.
 * @param now milliseconds since 1970
 */
export function forgetEndedResets(tx: Queries, now: number): Promise<void> {
  return store.purgeResets(tx, now)
}
