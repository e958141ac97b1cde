import { CEILINGS, isScope, type Scope } from '../../platform/access/scopes.ts'
import type { Tx } from '../../platform/database/database.ts'
import type { ApiKeyRow } from '../../platform/database/tables.ts'
import { isInForce, keysThrough } from './issued-rules.ts'
import { endKey } from './revocation-rules.ts'
import * as store from './store.ts'

/** Ids of keys that lost a scope: of those that still have others, and of those that had none left and ended. */
interface NarrowedKeys {
  readonly narrowed: readonly string[]
  readonly ended: readonly string[]
}

/**
 * Takes a scope from a user's own keys in force, unless another administrator issued the key for the user. A key that is
 * left with a ceiling alone ends. The caller ends the tokens that came from the keys, and records the changes.
 */
export async function takeScopeFromOwnKeys(
  tx: Tx,
  tenantId: string,
  userId: string,
  scope: Scope,
): Promise<NarrowedKeys> {
  const { own, issued } = await keysThrough(tx, tenantId, userId)
  const isGiven = givenTo(userId, [...own, ...issued])
  const now = Date.now()
  const narrowed: string[] = []
  const ended: string[] = []
  for (const key of own) {
    const scopes = key.scopes.split(' ')
    if (!isInForce(key, now) || !scopes.includes(scope) || isGiven(key)) continue
    const left = scopes.filter((each) => each !== scope)
    if (left.some(isAction)) {
      await store.setScopes(tx, tenantId, key.id, left.join(' '))
      narrowed.push(key.id)
    } else if (await endKey(tx, tenantId, key.id)) {
      ended.push(key.id)
    }
  }
  return { narrowed, ended }
}

const isAction = (name: string): boolean => isScope(name) && !CEILINGS.includes(name)

/**
 * Returns the check whether another user, or a key that does not exist through the user, issued a key. The command line
 * gives a key the scopes of its user's role, so its keys do not count as given.
 * @param keys all keys that exist through the user
 */
function givenTo(userId: string, keys: readonly ApiKeyRow[]): (key: ApiKeyRow) => boolean {
  const byId = new Map(keys.map((key) => [key.id, key]))
  const isGiven = ({ issuer_kind: kind, issuer_id: id, issuer_user_id: by }: ApiKeyRow): boolean => {
    if (by !== null) return by !== userId
    if (kind !== 'key' || id === null) return false
    const issuer = byId.get(id)
    return issuer === undefined || isGiven(issuer)
  }
  return isGiven
}
