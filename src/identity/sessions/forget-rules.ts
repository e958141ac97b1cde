import type { Queries, Tx } from '../../platform/database/database.ts'
import * as store from './store.ts'

/**
 * Ends all sessions of a person, and forgets what they sign in with: password, second factors, and links to accounts at
 * the outside provider.
 */
export async function forgetSignIn(tx: Tx, tenantId: string, userId: string): Promise<void> {
  await store.deleteSessionsOf(tx, tenantId, userId)
  await store.forgetSignIn(tx, tenantId, userId)
}

/**
 * Forgets the sessions, second steps and challenges of passkeys of all tenants whose time is over.
 * @param now milliseconds since 1970
 */
export function forgetEndedSessions(tx: Queries, now: number): Promise<void> {
  return store.purgeSessions(tx, now)
}
