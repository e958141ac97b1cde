import type { Caller } from '../../platform/access/caller.ts'
import type { Queries } from '../../platform/database/database.ts'
import { findApiKey } from './store.ts'

/**
 * Whether a user is the one who asks, or the one who issued the key that asks, directly or through other keys. Whoever
 * holds a session only could otherwise act on its user by a key of nobody.
 */
export async function isBehind(
  db: Queries,
  { tenant, userId: callerId, credentialKind, credentialId }: Caller,
  userId: string,
): Promise<boolean> {
  if (callerId === userId) return true
  // A key is older than those that it issues, so that this ends.
  for (let keyId = credentialKind === 'key' ? credentialId : null; keyId !== null;) {
    const key = await findApiKey(db, tenant.id, keyId)
    if (key?.issuer_user_id === userId) return true
    keyId = key?.issuer_kind === 'key' ? key.issuer_id : null
  }
  return false
}
