import { type AuditEvent, recordAudit } from '../../platform/audit/audit.ts'
import type { Database, Tx } from '../../platform/database/database.ts'
import { newId } from '../../platform/ids.ts'
import { hashSecret, newSecret } from '../../platform/random-secret.ts'
import type { Candidate } from './store.ts'
import * as store from './store.ts'

/** A working day. Use does not extend a session. */
export const SESSION_SECONDS = 12 * 60 * 60

/** Audit source of people who sign in and out in a browser. */
export const CONSOLE = { source: 'console', clientId: null } as const

/**
 * Opens a session for a user who has proved who they are.
 * @param before checks the proof again in the same transaction. It returns the audit events of its other changes, or
 *   null when the proof no longer holds.
 * @param seconds how long the session lasts
 * @returns the cookie's value, which is not stored anywhere; null when the user may no longer sign in
 */
export async function openSession(
  database: Database,
  { user }: Pick<Candidate, 'user'>,
  now: number,
  before: (tx: Tx) => Promise<readonly AuditEvent[] | null>,
  seconds = SESSION_SECONDS,
): Promise<string | null> {
  const secret = newSecret()
  const id = newId()
  const isOpen = await database.write(async (tx) => {
    if (!(await store.lockUser(tx, user.tenant_id, user.id))) return false
    const events = await before(tx)
    if (events === null) return false
    await store.insertSession(tx, {
      tenant_id: user.tenant_id,
      id,
      hash: hashSecret(secret),
      user_id: user.id,
      created_at: now,
      expires_at: now + seconds * 1_000,
    })
    const actor = { userId: user.id, credentialId: id, audit: CONSOLE }
    const opened: AuditEvent = { action: 'sign_in', resourceType: 'session', resourceId: id }
    await recordAudit(tx, user.tenant_id, actor, [...events, opened])
    return true
  }, user.tenant_id)
  return isOpen ? secret : null
}
