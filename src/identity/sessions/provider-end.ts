import { recordAudit, SERVICE } from '../../platform/audit/audit.ts'
import type { Tx } from '../../platform/database/database.ts'
import * as store from './provider-session-store.ts'

/** Which sign-ins a provider ends: all of an account, or those of one session that it had. */
export interface ProviderEnd {
  readonly issuer: string
  /** Null when the session alone is named. */
  readonly subject: string | null
  /** The provider's id of its session; null for all sessions of the account. */
  readonly sid: string | null
}

/**
 * Ends what people of the provider opened so, in every tenant, and records each session that was open.
 * @param now milliseconds since 1970
 */
export async function endSessionsFrom(tx: Tx, end: ProviderEnd, now: number): Promise<void> {
  await store.lockUsersFrom(tx, end)
  for (const { tenant_id: tenantId, id, user_id: userId } of await store.deleteSessionsFrom(tx, end, now)) {
    const event = { action: 'sign_out', resourceType: 'session', resourceId: id } as const
    await recordAudit(tx, tenantId, { ...SERVICE, userId }, [event])
  }
}
