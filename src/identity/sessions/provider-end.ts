import { recordAudit, SERVICE } from '../../platform/audit/audit.ts'
import type { Tx } from '../../platform/database/database.ts'
import * as store from './provider-session-store.ts'

/** Sign-ins that a provider ends: all of an account, or those of one session at the provider. */
export interface ProviderEnd {
  readonly issuer: string
  /** The account's id at the provider; null when the provider names the session alone. */
  readonly subject: string | null
  /** The session's id at the provider; null for all sessions of the account. */
  readonly sid: string | null
}

/**
 * Ends the sessions of every tenant that came from the sign-ins, and records each session that was open.
 * @param now milliseconds since 1970
 */
export async function endSessionsFrom(tx: Tx, end: ProviderEnd, now: number): Promise<void> {
  await store.lockUsersFrom(tx, end)
  for (const { tenant_id: tenantId, id, user_id: userId } of await store.deleteSessionsFrom(tx, end, now)) {
    const event = { action: 'sign_out', resourceType: 'session', resourceId: id } as const
    await recordAudit(tx, tenantId, { ...SERVICE, userId }, [event])
  }
}
