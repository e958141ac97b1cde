import { recordAudit, SERVICE } from '../../platform/audit/audit.ts'
import type { Tx } from '../../platform/database/database.ts'
import type { UserIdentityRow, UserRow } from '../../platform/database/tables.ts'
import * as store from './identity-store.ts'
import type { Identity } from './provider-client.ts'

/** An account at the outside provider. */
type Account = Pick<Identity, 'issuer' | 'subject'>

/** Returns the link between an account and a user of the tenant; null for an account without one. */
export function linkOf(tx: Tx, tenantId: string, account: Account): Promise<UserIdentityRow | null> {
  return store.findIdentity(tx, tenantId, account)
}

/**
 * Links a user to an account, and records the link.
 * @param now milliseconds since 1970
 * @returns false for a user who is linked to another account of the provider: the user's email address has then passed
 *   on to another person
 */
export async function linkAccount(tx: Tx, user: UserRow, account: Account, now: number): Promise<boolean> {
  const { tenant_id: tenantId, id } = user
  const { issuer, subject } = account
  if ((await store.subjectsOf(tx, tenantId, id, issuer)).length > 0) return false
  await store.insertIdentity(tx, { tenant_id: tenantId, issuer, subject, user_id: id, created_at: now, left_at: null })
  const event = { action: 'link', resourceType: 'user', resourceId: id } as const
  await recordAudit(tx, tenantId, { ...SERVICE, userId: id }, [event])
  return true
}

/**
 * Notes whether the person of an account has left every group that admits people to the tenant.
 * @param at milliseconds since 1970; null for a person in such a group
 */
export function noteLeft(tx: Tx, tenantId: string, account: Account, at: number | null): Promise<void> {
  return store.markIdentity(tx, tenantId, account, at)
}
