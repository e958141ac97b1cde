import { isDeepStrictEqual } from 'node:util'
import { BEYOND_ROLE, scopesOfUser, takesAway } from '../../platform/access/user-scopes.ts'
import { type Actor, OPERATOR, recordAudit } from '../../platform/audit/audit.ts'
import type { Database, Tx } from '../../platform/database/database.ts'
import type { ApiKeyRow, OAuthClientRow, UserRow } from '../../platform/database/tables.ts'
import { conflict, type Fault, notFound } from '../../platform/faults.ts'
import { findKey } from '../api-keys/list-rules.ts'
import { keysThrough, type KeysThroughUser } from '../api-keys/issued-rules.ts'
import { takeScopeFromOwnKeys } from '../api-keys/narrowing-rules.ts'
import { endKey, endKeysThrough, endKeyWithIssued } from '../api-keys/revocation-rules.ts'
import { clientsRegisteredBy, endClient, endRegistrationToken } from '../oauth/clients/registrant-rules.ts'
import { endGrantsOf, takeScopeFromGrants } from '../oauth/authorize/grants.ts'
import { endTokensOfKey } from '../oauth/rules.ts'
import { endResetsOf } from '../password-resets/end-rules.ts'
import { lockUser } from '../sessions/lock-rules.ts'
import { endSessionsOf } from '../sessions/open-sessions.ts'
import { changesBetween } from '../tenants/changes.ts'
import { lockTenant } from '../tenants/lock-rules.ts'
import { isAdministrator } from '../users/bounds.ts'
import { changeAccess } from '../users/change-rules.ts'
import { isLastAdministrator, requireRole, requireUser } from '../users/rules.ts'
import { type EndedAccess, endedClients, endedKeys, NOTHING_ENDED, togetherEnded } from './ended-access.ts'
import { isClientBeyond, keysBeyond, losesBeyondRole } from './exceeding-access.ts'

/** Change of a user. An absent field stays as it is. */
interface UserPatch {
  readonly name?: string
  readonly role?: string
  readonly ceiling?: string | null
  /** true also ends what exists through the user (`endAccess`), for a user who is disabled already too. */
  readonly disabled?: boolean
}

/** Refuses a change of a user that the actor may not make. @throws Fault */
type RequireMayChange = (tx: Tx, from: UserRow, to: UserRow) => Promise<void>

/** Refuses a revocation that the actor may not make. @throws Fault */
type RequireMayRevoke = (tx: Tx, key: ApiKeyRow) => Promise<void>

/** A user after a change, and what of theirs the change ended for good. */
interface ChangedUser {
  readonly user: UserRow
  readonly ended: EndedAccess
}

/**
 * Changes a user's name, role or ceiling, or disables or enables the user with all their keys. The change takes
 * effect on the next request with any of the user's credentials.
 * @throws Fault conflict, naming the field, when the tenant would be left without an active administrator
 */
export async function changeUser(
  database: Database,
  tenantId: string,
  idOrEmail: string,
  change: UserPatch,
  actor: Actor = OPERATOR,
  requireMayChange: RequireMayChange = async () => undefined,
): Promise<ChangedUser> {
  return database.write(async (tx) => {
    // The lock orders two administrators who disable each other at the same moment; the second is refused.
    await lockTenant(tx, tenantId)
    const row = await requireUser(tx, tenantId, idOrEmail)
    const changed = changedUser(row, change)
    const { name, role, ceiling, disabled_at: disabledAt } = changed
    await requireMayChange(tx, row, changed)
    await requireOtherAdministrator(tx, row, changed)
    await changeAccess(tx, row, { name, role, ceiling, disabled_at: disabledAt })
    // A link for a new password is given for a certain role, ceiling and state of the user.
    if (role !== row.role || ceiling !== row.ceiling || disabledAt !== row.disabled_at)
      await endResetsOf(tx, tenantId, row.id)
    const closed = change.disabled === true ? await endAccess(tx, tenantId, row.id, actor) : NOTHING_ENDED
    const exceeding = await endExceedingAccess(tx, row, changed, actor)
    await recordChange(tx, row, changed, actor)
    return { user: changed, ended: togetherEnded(closed, exceeding) }
  }, tenantId)
}

/** Returns a user after a change. @throws Fault invalid for an unknown role */
export function changedUser(row: UserRow, change: UserPatch): UserRow {
  const { name = row.name, ceiling = row.ceiling } = change
  const role = change.role === undefined ? row.role : requireRole(change.role)
  const disabledAt = change.disabled === undefined ? row.disabled_at : change.disabled ? Date.now() : null
  return { ...row, name, role, ceiling, disabled_at: disabledAt }
}

/**
 * Records a change of a user, unless the row stayed the same. The record names the old and new role, ceiling and state,
 * but no names of the person, because it outlives a person who is erased.
 */
async function recordChange(tx: Tx, row: UserRow, changed: UserRow, actor: Actor): Promise<void> {
  if (isDeepStrictEqual(row, changed)) return
  const changes = changesBetween(accessOf(row), accessOf(changed))
  const details = Object.keys(changes).length === 0 ? {} : { details: { changes } }
  const event = { action: 'update', resourceType: 'user', resourceId: row.id, ...details } as const
  await recordAudit(tx, row.tenant_id, actor, [event])
}

const accessOf = ({ role, ceiling, disabled_at: at }: UserRow) => ({ role, ceiling, disabled: at !== null })

/**
 * Refuses a change that would leave the tenant without an active administrator who sees everything.
 * @param row the user before the change
 * @param changed the user after the change; null for a user who is erased
 * @throws Fault conflict, naming the field
 */
export async function requireOtherAdministrator(tx: Tx, row: UserRow, changed: UserRow | null): Promise<void> {
  if (changed !== null && isAdministrator(changed)) return
  if (!(await isLastAdministrator(tx, row))) return
  if (changed === null) throw lastAdministrator('user')
  throw lastAdministrator(changed.role !== 'admin' ? 'role' : changed.disabled_at === null ? 'ceiling' : 'disabled')
}

/**
 * Ends what a user who loses the tenant has opened: sessions, grants, and what `endIssuedAccess` ends. A user who is
 * enabled later has to sign in and connect assistants again. The caller disables the user and records that.
 * @returns what ended for good
 */
export async function endAccess(tx: Tx, tenantId: string, userId: string, actor: Actor): Promise<EndedAccess> {
  // What the user is opening or issuing now holds the user's lock: it is read below, or refused.
  await lockUser(tx, tenantId, userId)
  await endSessionsOf(tx, tenantId, userId)
  await endGrantsOf(tx, tenantId, { userId }, actor)
  return endIssuedAccess(tx, tenantId, userId, actor)
}

/**
 * Ends for good what a user issued and could not issue with the new role and ceiling: keys with a scope that the user
 * no longer has, keys of people whom the user may no longer act for, clients that act for themselves with such a scope,
 * and the registration tokens of other clients, unless the user may still register some. The user's own keys and grants
 * stay, since the role bounds them at each request; they lose the scope that it does not bound, if the user loses it
 * with the role. A change that takes nothing away ends nothing.
 * @returns what ended for good
 */
export async function endExceedingAccess(tx: Tx, from: UserRow, to: UserRow, actor: Actor): Promise<EndedAccess> {
  const { tenant_id: tenantId, id: userId } = to
  if (!takesAway(from, to)) return NOTHING_ENDED
  const ids = await endKeysThrough(tx, tenantId, userId, (keys) => keysBeyond(tx, to, keys))
  await closeKeys(tx, tenantId, ids, actor)
  // After the keys that end: one of them may have issued an own key of the user until now.
  const through = await keysThrough(tx, tenantId, userId)
  const beyond = losesBeyondRole(from, to) ? await takeBeyondRole(tx, to, through, actor) : { narrowed: [], ended: [] }
  const keys = [...through.own, ...through.issued]
  const by = { userId, keyIds: keys.map(({ id }) => id) }
  const mayRegister = scopesOfUser(to).includes('clients:register')
  const [clients, lockedClients]: [OAuthClientRow[], OAuthClientRow[]] = [[], []]
  for (const client of await clientsRegisteredBy(tx, tenantId, by)) {
    if (isClientBeyond(to, client)) {
      if (await endClient(tx, tenantId, client.id, actor)) clients.push(client)
    } else if (!mayRegister && (await endRegistrationToken(tx, client, actor))) lockedClients.push(client)
  }
  return {
    keys: endedKeys(keys, [...ids, ...beyond.ended.map(({ id }) => id)]),
    clients: endedClients(clients),
    narrowedKeys: endedKeys(
      keys,
      beyond.narrowed.map(({ id }) => id),
    ),
    lockedClients: endedClients(lockedClients),
  }
}

/**
 * Takes the scope that no role bounds from a user's own keys and grants, and from the tokens that came from them.
 * @param keys all keys that exist through the user
 * @returns ids of the keys that go on without it, and of those that ended
 */
async function takeBeyondRole(
  tx: Tx,
  { tenant_id: tenantId, id: userId }: UserRow,
  keys: KeysThroughUser,
  actor: Actor,
): ReturnType<typeof takeScopeFromOwnKeys> {
  await takeScopeFromGrants(tx, tenantId, userId, BEYOND_ROLE, actor)
  const { narrowed, ended } = await takeScopeFromOwnKeys(tx, tenantId, userId, keys, BEYOND_ROLE)
  const endedIds = ended.map(({ id }) => id)
  await closeKeys(tx, tenantId, endedIds, actor)
  for (const { id } of narrowed) await endTokensOfKey(tx, tenantId, id)
  const events = narrowed.map(({ id }) => ({ action: 'update', resourceType: 'api_key', resourceId: id }) as const)
  await recordAudit(tx, tenantId, actor, events)
  return { narrowed, ended }
}

/**
 * Ends for good what exists through a user: the keys that the user issued, directly or through other keys, and the
 * clients that the user or one of those keys registered. The user knows their secrets, so they must not outlast the
 * user's access. What was handed over to another user stays. `UserAccessRules` lists all of it beforehand.
 * @param withOwn whether the user's own keys end too; a disabled user's keys are refused anyway, and work again once
 *   the user is enabled
 * @returns what ended
 */
export async function endIssuedAccess(
  tx: Tx,
  tenantId: string,
  userId: string,
  actor: Actor,
  { withOwn = false }: { readonly withOwn?: boolean } = {},
): Promise<EndedAccess> {
  const ending = (keys: readonly ApiKeyRow[]) => keys.filter(({ user_id: id }) => withOwn || id !== userId)
  const ids = await endKeysThrough(tx, tenantId, userId, ending)
  await closeKeys(tx, tenantId, ids, actor)
  // After the keys: a key that is registering a client now has done so, or is refused.
  const { own, issued } = await keysThrough(tx, tenantId, userId)
  const keys = [...own, ...issued]
  const clients = await clientsRegisteredBy(tx, tenantId, { userId, keyIds: keys.map(({ id }) => id) })
  for (const { id } of clients) await endClient(tx, tenantId, id, actor)
  return { ...NOTHING_ENDED, keys: endedKeys(keys, ids), clients: endedClients(clients) }
}

/** Ends the tokens of revoked keys, and records each revocation. */
async function closeKeys(tx: Tx, tenantId: string, ids: readonly string[], actor: Actor): Promise<void> {
  for (const id of ids) await endTokensOfKey(tx, tenantId, id)
  const events = ids.map((id) => ({ action: 'revoke', resourceType: 'api_key', resourceId: id }) as const)
  await recordAudit(tx, tenantId, actor, events)
}

function lastAdministrator(field: 'role' | 'ceiling' | 'disabled' | 'user'): Fault {
  return conflict(
    [field],
    'This is the last active administrator of the tenant. Make somebody else an administrator first',
  )
}

/**
 * Revokes a key, and ends the tokens that clients got with it. Key and tokens are refused from their next request on.
 * @throws Fault not_found when the key does not exist or is revoked already
 */
export async function revokeApiKey(
  database: Database,
  tenantId: string,
  id: string,
  actor: Actor = OPERATOR,
  requireMayRevoke: RequireMayRevoke = async () => undefined,
): Promise<void> {
  await database.write(async (tx) => {
    const key = await findKey(tx, tenantId, id)
    if (key !== null) await requireMayRevoke(tx, key)
    if (!(await endKey(tx, tenantId, id))) throw notFound(['key'], `Key ${id}`)
    await closeKeys(tx, tenantId, [id], actor)
  }, tenantId)
}

/**
 * Revokes a key and all keys that it issued, directly or through others. The key itself may be revoked already.
 * The revocations take effect like that of `revokeApiKey`.
 * @returns number of keys that this revoked
 * @throws Fault not_found when the key does not exist
 */
export async function revokeWithIssued(
  database: Database,
  tenantId: string,
  id: string,
  actor: Actor = OPERATOR,
  requireMayRevoke: RequireMayRevoke = async () => undefined,
): Promise<number> {
  return database.write(async (tx) => {
    const key = await findKey(tx, tenantId, id)
    if (key === null) throw notFound(['key'], `Key ${id}`)
    await requireMayRevoke(tx, key)
    const ids = await endKeyWithIssued(tx, tenantId, id)
    await closeKeys(tx, tenantId, ids, actor)
    return ids.length
  }, tenantId)
}
