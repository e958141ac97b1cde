import { allows, parseScopes } from '../../platform/access/scopes.ts'
import { BEYOND_ROLE, covers, scopesOfUser } from '../../platform/access/user-scopes.ts'
import type { Queries } from '../../platform/database/database.ts'
import type { ApiKeyRow, OAuthClientRow, UserRow } from '../../platform/database/tables.ts'
import { scopesActedWith } from '../oauth/clients/registrant-rules.ts'
import { usersById } from '../users/rules.ts'

/** Tells whether a change of role and ceiling takes away the scope that the lower role does not bound. */
export const losesBeyondRole = (from: UserRow, to: UserRow): boolean =>
  scopesOfUser(from).includes(BEYOND_ROLE) && !scopesOfUser(to).includes(BEYOND_ROLE)

/**
 * Returns those of the keys that a user could not issue: with a scope that the user does not have, or of people whom the
 * user may not act for. The user's own keys are never among them.
 */
export async function keysBeyond(db: Queries, user: UserRow, keys: readonly ApiKeyRow[]): Promise<ApiKeyRow[]> {
  const may = new Set(scopesOfUser(user))
  const issued = keys.filter(({ user_id: id }) => id !== user.id)
  const ownerIds = issued.flatMap(({ user_id: id }) => id ?? [])
  const owners = await usersById(db, user.tenant_id, ownerIds)
  return issued.filter(({ scopes, user_id: id }) => {
    const owner = id === null ? null : owners.get(id)
    const actsFor = owner === null || (owner !== undefined && may.has('tenant:admin') && covers(may, owner))
    return !actsFor || !allows(may, parseScopes(scopes))
  })
}

/** Tells whether a client acts for itself with a scope that a user does not have. */
export const isClientBeyond = (user: UserRow, client: OAuthClientRow): boolean =>
  !allows(new Set(scopesOfUser(user)), scopesActedWith(client))
