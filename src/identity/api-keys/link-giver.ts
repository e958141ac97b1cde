import type { Caller } from '../../platform/access/caller.ts'
import { parseScopes, type Scope } from '../../platform/access/scopes.ts'
import { covers, scopesOfUser } from '../../platform/access/user-scopes.ts'
import type { Queries } from '../../platform/database/database.ts'
import type { UserRow } from '../../platform/database/tables.ts'
import { activeUser } from '../users/rules.ts'
import { findApiKey } from './store.ts'

/** Who gave a link: a user, an API key, or both for a key of a user; neither for the command line. */
export interface LinkGiver {
  readonly userId: string | null
  readonly keyId: string | null
}

/** The giver that a link of this caller has. */
export function giverOf({ userId, credentialKind, credentialId }: Caller): LinkGiver {
  return { userId, keyId: credentialKind === 'key' ? credentialId : null }
}

/**
 * Whether whoever gave a link could give it today: an active administrator, or a key that is not revoked, with
 * everything that the role and ceiling allow.
 */
export async function mayStillGive(
  db: Queries,
  tenantId: string,
  { userId, keyId }: LinkGiver,
  given: Pick<UserRow, 'role' | 'ceiling'>,
): Promise<boolean> {
  const held: Set<Scope>[] = []
  if (userId !== null) {
    const user = await activeUser(db, tenantId, userId)
    if (user === null) return false
    held.push(new Set(scopesOfUser(user)))
  }
  if (keyId !== null) {
    const key = await findApiKey(db, tenantId, keyId)
    if (key === null || key.revoked_at !== null) return false
    held.push(new Set(parseScopes(key.scopes)))
  }
  return held.every((scopes) => scopes.has('tenant:admin') && covers(scopes, given))
}
