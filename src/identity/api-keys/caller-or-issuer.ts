import type { Caller } from '../../platform/access/caller.ts'
import type { Queries } from '../../platform/database/database.ts'
import { findApiKey } from './store.ts'

/**
 * Tells whether a user is the caller's user, or issued the caller's key, directly or through other keys. Rules that
 * forbid an act on one's own user ask this: otherwise a stolen session could issue a key without a user, and act on its
 * own user by that key.
 */
export async function isCallerOrIssuer(
  db: Queries,
  { tenant, userId: callerId, credentialKind, credentialId }: Caller,
  userId: string,
): Promise<boolean> {
  if (callerId === userId) return true
  // A key is older than the keys that it issues, so the loop ends.
  for (let keyId = credentialKind === 'key' ? credentialId : null; keyId !== null;) {
    const key = await findApiKey(db, tenant.id, keyId)
    if (key?.issuer_user_id === userId) return true
    keyId = key?.issuer_kind === 'key' ? key.issuer_id : null
  }
  return false
}
