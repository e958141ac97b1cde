import type { Queries, Tx } from '../../platform/database/database.ts'
import type { ApiKeyRow } from '../../platform/database/tables.ts'
import * as store from './store.ts'

/** Keys that exist through a user: the user's own, and those that the user issued, directly or through other keys. */
export interface KeysThroughUser {
  /** Keys of the user, also revoked ones. */
  readonly own: readonly ApiKeyRow[]
  /** Keys that the user issued for other users or for no user, also revoked ones. */
  readonly issued: readonly ApiKeyRow[]
}

/**
 * Returns the keys that exist through a user. A key that one of the user's keys issued counts as issued by the
 * user, who has seen its secret. A key that was handed over counts for its new issuer alone.
 */
export async function keysThrough(db: Queries, tenantId: string, userId: string): Promise<KeysThroughUser> {
  const ids = await visitKeys(db, tenantId, await store.keysOfOrBy(db, tenantId, userId))
  const rows = await store.findKeys(db, tenantId, ids)
  const isOwn = (row: ApiKeyRow) => row.user_id === userId
  return { own: rows.filter(isOwn), issued: rows.filter((row) => !isOwn(row)) }
}

/**
 * Follows keys to those that they issued, directly or through others, level by level.
 * @param visit called with each level before the next is read. If it ends the level, a key that one of them is issuing
 *   now is read, or refused
 * @returns ids of all keys, each once
 */
export async function visitKeys(
  db: Queries,
  tenantId: string,
  first: readonly string[],
  visit: (level: readonly string[]) => Promise<void> = async () => undefined,
): Promise<string[]> {
  const ids = new Set<string>()
  let level = first
  while (level.length > 0) {
    const fresh = level.filter((id) => !ids.has(id))
    for (const id of fresh) ids.add(id)
    await visit(fresh)
    level = await store.keysIssuedBy(db, tenantId, fresh)
  }
  return [...ids]
}

/** Tells whether a key is in force. @param now milliseconds since 1970 */
export function isInForce({ revoked_at: revokedAt, expires_at: expiresAt }: ApiKeyRow, now: number): boolean {
  return revokedAt === null && (expiresAt === null || expiresAt > now)
}

/**
 * Makes another user the issuer of a key, who answers for it from now on. The caller records the change.
 * @returns false when the key does not exist or is revoked
 */
export function handOverKey(tx: Tx, tenantId: string, id: string, userId: string): Promise<boolean> {
  return store.setIssuer(tx, tenantId, id, { issuer_kind: 'hand_over', issuer_id: null, issuer_user_id: userId })
}
