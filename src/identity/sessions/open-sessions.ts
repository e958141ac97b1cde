import { type Actor, type AuditEvent, recordAudit } from '../../platform/audit/audit.ts'
import type { Queries, Tx } from '../../platform/database/database.ts'
import type { SessionRow } from '../../platform/database/tables.ts'
import * as store from './store.ts'

/** Most sessions of a user that a list has: more than a person has open. */
const LISTED_MAX = 1_000

/** Open session as people see it. Times are in RFC 3339. */
interface ListedSession extends Pick<SessionRow, 'id' | 'address' | 'browser'> {
  readonly created_at: string
  readonly expires_at: string
}

/**
 * Returns the open sessions of a user, newest first.
 * @param now milliseconds since 1970
 */
export async function openSessions(
  db: Queries,
  tenantId: string,
  userId: string,
  now: number,
): Promise<ListedSession[]> {
  const rows = await store.listSessions(db, tenantId, userId, now, LISTED_MAX)
  return rows.map(({ id, created_at: createdAt, expires_at: expiresAt, address, browser }) => ({
    id,
    created_at: new Date(createdAt).toISOString(),
    expires_at: new Date(expiresAt).toISOString(),
    address,
    browser,
  }))
}

/** Ids of a user and of the user's tenant. */
interface Owner {
  readonly tenantId: string
  readonly userId: string
}

/**
 * Ends one of a user's open sessions, and records the sign-out.
 * @returns false when the user has no such session
 */
export async function endSession(
  tx: Tx,
  { tenantId, userId }: Owner,
  sessionId: string,
  now: number,
  actor: Actor,
): Promise<boolean> {
  const open = await store.listSessions(tx, tenantId, userId, now, LISTED_MAX)
  if (!open.some(({ id }) => id === sessionId)) return false
  await store.deleteSession(tx, tenantId, sessionId)
  await recordSignOuts(tx, tenantId, [sessionId], actor)
  return true
}

/**
 * Signs a user out everywhere, and ends sign-ins that wait for a second factor. It leaves no audit record, since each
 * caller records the change that ends the sessions.
 */
export function endSessionsOf(tx: Tx, tenantId: string, userId: string): Promise<void> {
  return store.deleteSessionsOf(tx, tenantId, userId)
}

/** Signs a user out everywhere like `endSessionsOf`, and records each session that was open. */
export async function signOutUser(tx: Tx, { tenantId, userId }: Owner, now: number, actor: Actor): Promise<void> {
  const open = await store.listSessions(tx, tenantId, userId, now, LISTED_MAX)
  await store.deleteSessionsOf(tx, tenantId, userId)
  await recordSignOuts(
    tx,
    tenantId,
    open.map(({ id }) => id),
    actor,
  )
}

/**
 * Signs a user out everywhere at the user's own request, and records each session.
 * @param sessionId the session of that request, which is recorded last
 */
export async function signOutSelf(tx: Tx, { tenantId, userId }: Owner, sessionId: string, actor: Actor): Promise<void> {
  await store.lockUser(tx, tenantId, userId)
  const others = await store.deleteOtherSessions(tx, tenantId, userId, sessionId)
  await store.deleteSessionsOf(tx, tenantId, userId)
  await recordSignOuts(tx, tenantId, [...others, sessionId], actor)
}

async function recordSignOuts(tx: Tx, tenantId: string, ids: readonly string[], actor: Actor): Promise<void> {
  const events = ids.map((id): AuditEvent => ({ action: 'sign_out', resourceType: 'session', resourceId: id }))
  await recordAudit(tx, tenantId, actor, events)
}
