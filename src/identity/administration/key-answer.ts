import { parseScopes } from '../../platform/access/scopes.ts'
import type { ApiKeyRow, UserRow } from '../../platform/database/tables.ts'
import { type PublishableBinding, readPublishable } from '../api-keys/publishable.ts'
import type { IssuerKind } from '../api-keys/rules.ts'
import type { ApiKey } from './contract.ts'

/**
 * Returns a key as the API answers it.
 * @param users by id: the key's user and its issuer's, as far as they still exist
 */
export function keyOf(row: ApiKeyRow, users: ReadonlyMap<string, UserRow>): ApiKey {
  return {
    id: row.id,
    name: row.name,
    hint: row.hint,
    scopes: parseScopes(row.scopes),
    user: personOf(row.user_id, users),
    created_at: new Date(row.created_at).toISOString(),
    expires_at: timeOf(row.expires_at),
    revoked_at: timeOf(row.revoked_at),
    last_used_at: timeOf(row.last_used_at),
    issuer: {
      kind: (row.issuer_kind as IssuerKind | null) ?? 'unknown',
      id: row.issuer_id,
      user: personOf(row.issuer_user_id, users),
    },
    ...(row.publishable === null ? {} : { publishable: bindingAnswer(readPublishable(row.publishable)) }),
  }
}

/** Returns the ids of the users whom the answers of these keys name. */
export function usersNamedBy(rows: readonly ApiKeyRow[]): string[] {
  return rows.flatMap(({ user_id: userId, issuer_user_id: issuerId }) =>
    [userId, issuerId].flatMap((id) => (id === null ? [] : [id])),
  )
}

function bindingAnswer({ origins, sections, sites }: PublishableBinding): ApiKey['publishable'] {
  return { origins: [...origins], sections: [...sections], sites: sites === null ? null : [...sites] }
}

function personOf(id: string | null, users: ReadonlyMap<string, UserRow>): ApiKey['user'] {
  const user = id === null ? undefined : users.get(id)
  return user === undefined ? null : { id: user.id, email: user.email, name: user.name }
}

function timeOf(at: number | null): string | null {
  return at === null ? null : new Date(at).toISOString()
}
