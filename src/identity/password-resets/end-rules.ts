import type { Queries, Tx } from '../../platform/database/database.ts'
import * as store from './store.ts'

/** Ends a user's link for a new password, because it was given for the user as they were. */
export function endResetsOf(tx: Tx, tenantId: string, userId: string): Promise<void> {
  return store.forgetResets(tx, tenantId, userId)
}

/** Ends the links for new passwords of all users of a tenant. */
export function endResetsOfTenant(tx: Tx, tenantId: string): Promise<void> {
  return store.forgetResetsOf(tx, tenantId)
}

/**
 * Forgets links for new passwords of all working tenants that are over.
 * @param now milliseconds since 1970
 */
export function forgetEndedResets(tx: Queries, now: number): Promise<void> {
  return store.purgeResets(tx, now)
}
