import { CEILINGS, isScope, type Scope } from '../../platform/access/scopes.ts'
import type { Tx } from '../../platform/database/database.ts'
import type { ApiKeyRow } from '../../platform/database/tables.ts'
import { isInForce, type KeysThroughUser } from './issued-rules.ts'
import { endKey } from './revocation-rules.ts'
import * as store from './store.ts'

/** A user's own keys that lose a scope: those that still have others, and those that have none left and end. */
interface NarrowedKeys {
  readonly narrowed: readonly ApiKeyRow[]
  readonly ended: readonly ApiKeyRow[]
}

/**
 * Returns the keys that `takeScopeFromOwnKeys` narrows and ends.
 * @param keys all keys that exist through the user, also revoked ones, since they tell who issued the others
 * @param now milliseconds since 1970
 */
export function ownKeysLosing(
  userId: string,
  { own, issued }: KeysThroughUser,
  scope: Scope,
  now: number,
): NarrowedKeys {
  const isGiven = givenTo(userId, [...own, ...issued])
  const losing = own.filter((key) => isInForce(key, now) && scopesOfKey(key).includes(scope) && !isGiven(key))
  const isLeft = (key: ApiKeyRow): boolean => scopesOfKey(key).some((each) => each !== scope && isAction(each))
  return { narrowed: losing.filter(isLeft), ended: losing.filter((key) => !isLeft(key)) }
}

/**
 * Takes a scope from a user's own keys in force, unless another administrator issued the key for the user. A key that is
 * left with a ceiling alone ends. The caller ends the tokens that came from the keys, and records the changes.
 * @param keys all keys that exist through the user, as in `ownKeysLosing`
 */
export async function takeScopeFromOwnKeys(
  tx: Tx,
  tenantId: string,
  userId: string,
  keys: KeysThroughUser,
  scope: Scope,
): Promise<NarrowedKeys> {
  const losing = ownKeysLosing(userId, keys, scope, Date.now())
  for (const key of losing.narrowed) {
    const left = scopesOfKey(key).filter((each) => each !== scope)
    await store.setScopes(tx, tenantId, key.id, left.join(' '))
  }
  for (const { id } of losing.ended) await endKey(tx, tenantId, id)
  return losing
}

const scopesOfKey = ({ scopes }: ApiKeyRow): string[] => scopes.split(' ')

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
