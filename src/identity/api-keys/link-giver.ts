import type { Caller } from '../../platform/access/caller.ts'
import { parseScopes, type Scope } from '../../platform/access/scopes.ts'
import { covers, scopesOfUser } from '../../platform/access/user-scopes.ts'
import type { Queries } from '../../platform/database/database.ts'
import type { UserRow } from '../../platform/database/tables.ts'
import { activeUser } from '../users/rules.ts'
import { findApiKey } from './store.ts'

/**
 * Giver of a link for an invitation or a new password: a user, an API key, or both for a key of a user; neither for the
 * command line.
 */
export interface LinkGiver {
  readonly userId: string | null
  readonly keyId: string | null
}

/** Returns the giver of a link that a caller creates. */
export function giverOf({ userId, credentialKind, credentialId }: Caller): LinkGiver {
  return { userId, keyId: credentialKind === 'key' ? credentialId : null }
}

/**
 * Tells whether the giver of a link could give it today: as an active administrator, or by a key that is not revoked,
 * with every right that the link's role and ceiling carry.
 * @param access role and ceiling of the user whom the link lets in
 */
export async function mayStillGive(
  db: Queries,
  tenantId: string,
  { userId, keyId }: LinkGiver,
  access: Pick<UserRow, 'role' | 'ceiling'>,
): Promise<boolean> {
  const scopeSets: Set<Scope>[] = []
  if (userId !== null) {
    const user = await activeUser(db, tenantId, userId)
    if (user === null) return false
    scopeSets.push(new Set(scopesOfUser(user)))
  }
  if (keyId !== null) {
    const key = await findApiKey(db, tenantId, keyId)
    if (key === null || key.revoked_at !== null) return false
    scopeSets.push(new Set(parseScopes(key.scopes)))
  }
  return scopeSets.every((scopes) => scopes.has('tenant:admin') && covers(scopes, access))
}
