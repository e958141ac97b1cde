import type { Queries, Tx } from '../../platform/database/database.ts'
import * as store from './store.ts'

/**
 * Ends all sessions of a person, and removes the person's password, second factors and links to accounts at the outside
 * provider.
 */
export async function forgetSignIn(tx: Tx, tenantId: string, userId: string): Promise<void> {
  await store.deleteSessionsOf(tx, tenantId, userId)
  await store.forgetSignIn(tx, tenantId, userId)
}

/**
 * Removes expired sessions, second steps and challenges of passkeys of all tenants.
 * @param now milliseconds since 1970
 */
export function forgetEndedSessions(tx: Queries, now: number): Promise<void> {
  return store.purgeSessions(tx, now)
}
