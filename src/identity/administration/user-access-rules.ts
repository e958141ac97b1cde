import type { Caller } from '../../platform/access/caller.ts'
import { type AuditEvent, recordAudit } from '../../platform/audit/audit.ts'
import type { Database, Queries, Tx } from '../../platform/database/database.ts'
import type { ApiKeyRow, OAuthClientRow, UserRow } from '../../platform/database/tables.ts'
import { Fault, type FaultDetail, forbidden, invalid, referenceNotFound } from '../../platform/faults.ts'
import { BEYOND_ROLE, scopesOfUser, takesAway } from '../../platform/access/user-scopes.ts'
import { allows, parseScopes } from '../../platform/access/scopes.ts'
import { handOverKey, isInForce, type KeysThroughUser, keysThrough } from '../api-keys/issued-rules.ts'
import { requireLasting } from '../api-keys/lasting.ts'
import { ownKeysLosing } from '../api-keys/narrowing-rules.ts'
import { clientOf, clientsLosing, clientsRegisteredBy, handOverClient } from '../oauth/clients/registrant-rules.ts'
import { lockedActiveUser } from '../sessions/lock-rules.ts'
import { lockTenant } from '../tenants/lock-rules.ts'
import { requireManageable } from '../users/bounds.ts'
import { requireUser, usersById } from '../users/rules.ts'
import type { HandOver, UserAccess, UserAccessQuery } from './contract.ts'
import { changedUser } from './end-access.ts'
import { isClientBeyond, keysBeyond, losesBeyondRole } from './exceeding-access.ts'
import { withRequestPlaces } from './fault-places.ts'
import { keyOf, usersNamedBy } from './key-answer.ts'

/** Keys and clients that exist through a user and are in force. */
interface AccessRows {
  readonly own: readonly ApiKeyRow[]
  readonly issued: readonly ApiKeyRow[]
  readonly clients: readonly OAuthClientRow[]
}

/** Own keys, and clients that act for the user, that lose a scope and go on. */
interface NarrowedRows {
  readonly keys: readonly ApiKeyRow[]
  readonly clients: readonly OAuthClientRow[]
}

const NOTHING: AccessRows = { own: [], issued: [], clients: [] }
const NOTHING_NARROWED: NarrowedRows = { keys: [], clients: [] }

/** Shows which keys and OAuth clients end with a user, and hands them over to users who answer for them. */
export class UserAccessRules {
  readonly #database: Database

  constructor(database: Database) {
    this.#database = database
  }

  /**
   * Returns the keys and clients that end when the user is disabled or erased, or lose something when the user gets
   * another role or ceiling.
   * @param change the new role and ceiling; without both, the user is disabled or erased
   * @throws Fault not_found
   */
  async read({ tenant: { id: tenantId } }: Caller, userId: string, change: UserAccessQuery): Promise<UserAccess> {
    const { queries } = this.#database
    const user = await withRequestPlaces(requireUser(queries, tenantId, userId), 'user_id', 'User')
    const { role, ceiling } = change
    if (role === undefined && ceiling === undefined) return answerOf(queries, user, await accessThrough(queries, user))
    const { ending, narrowed } = await lostBy(queries, user, changedUser(user, change))
    return answerOf(queries, user, ending, narrowed)
  }

  /**
   * Hands keys and clients over to another user: they end with that user from now on, and no longer with this one.
   * @returns what still ends with this user
   * @throws Fault not_found; forbidden for a user who may do more than the caller, for the user and keys that exist
   *   through the user, and for a credential that ends;
   *   invalid for a key or client that does not end with this user, or a receiver who may not answer for it
   */
  async handOver(caller: Caller, userId: string, wish: HandOver): Promise<UserAccess> {
    const { id: tenantId } = caller.tenant
    const { to_user_id: toId, api_keys: keyIds = [], oauth_clients: clientIds = [] } = wish
    return this.#database.write(async (tx) => {
      await requireLasting(tx, caller)
      // Orders this with changes of both users' access, which lock the tenant too.
      await lockTenant(tx, tenantId)
      const user = await withRequestPlaces(requireUser(tx, tenantId, userId), 'user_id', 'User')
      requireManageable(caller, user)
      const to = await requireReceiver(tx, user, toId)
      const access = await accessThrough(tx, user)
      requireOther(caller, user, access)
      const keys = pick(access.issued, keyIds, ['body', 'api_keys'], 'API key')
      const clients = pick(access.clients, clientIds, ['body', 'oauth_clients'], 'Client')
      requireCovering(to, keys)
      const events: AuditEvent[] = []
      const record = (resourceType: string, id: string, before: string | null): void => {
        const details = { changes: { issuer_user_id: { before, after: to.id } } }
        events.push({ action: 'update', resourceType, resourceId: id, details })
      }
      for (const { id, issuer_user_id: before } of keys)
        if (await handOverKey(tx, tenantId, id, to.id)) record('api_key', id, before)
      for (const { id, user_id: before } of clients)
        if (await handOverClient(tx, tenantId, id, to.id)) record('oauth_client', id, before)
      await recordAudit(tx, tenantId, caller, events)
      return answerOf(tx, user, await accessThrough(tx, user))
    }, tenantId)
  }
}

async function accessThrough(db: Queries, user: UserRow): Promise<AccessRows> {
  return inForceOf(db, user, await keysThrough(db, user.tenant_id, user.id))
}

async function inForceOf(
  db: Queries,
  { tenant_id: tenantId, id: userId }: UserRow,
  { own, issued }: KeysThroughUser,
): Promise<AccessRows> {
  const keyIds = [...own, ...issued].map(({ id }) => id)
  const now = Date.now()
  return {
    own: own.filter((row) => isInForce(row, now)),
    issued: issued.filter((row) => isInForce(row, now)),
    clients: await clientsRegisteredBy(db, tenantId, { userId, keyIds }),
  }
}

/** Returns what `endExceedingAccess` ends and narrows when a user gets another role or ceiling. */
async function lostBy(
  db: Queries,
  from: UserRow,
  to: UserRow,
): Promise<{ readonly ending: AccessRows; readonly narrowed: NarrowedRows }> {
  if (!takesAway(from, to)) return { ending: NOTHING, narrowed: NOTHING_NARROWED }
  const { tenant_id: tenantId, id: userId } = from
  const keys = await keysThrough(db, tenantId, userId)
  const { issued, clients } = await inForceOf(db, from, keys)
  const ending = {
    own: [],
    issued: await keysBeyond(db, to, issued),
    clients: clients.filter((client) => isClientBeyond(to, client)),
  }
  if (!losesBeyondRole(from, to)) return { ending, narrowed: NOTHING_NARROWED }
  const own = ownKeysLosing(userId, keys, BEYOND_ROLE, Date.now())
  const losing = await clientsLosing(db, tenantId, userId, BEYOND_ROLE)
  return { ending: { ...ending, own: own.ended }, narrowed: { keys: own.narrowed, clients: losing } }
}

async function answerOf(
  db: Queries,
  user: UserRow,
  { own, issued, clients }: AccessRows,
  narrowed = NOTHING_NARROWED,
): Promise<UserAccess> {
  const users = await usersById(db, user.tenant_id, usersNamedBy([...own, ...issued, ...narrowed.keys]))
  return {
    own_api_keys: own.map((row) => keyOf(row, users)),
    issued_api_keys: issued.map((row) => keyOf(row, users)),
    oauth_clients: clients.map(clientOf),
    narrowed_api_keys: narrowed.keys.map((row) => keyOf(row, users)),
    narrowed_oauth_clients: narrowed.clients.map(clientOf),
  }
}

/** Refuses a caller whose own access ends with the user, who could let it outlast them otherwise. @throws Fault */
function requireOther({ userId, credentialId }: Caller, user: UserRow, { own, issued }: AccessRows): void {
  const isTheirs = userId === user.id || [...own, ...issued].some(({ id }) => id === credentialId)
  if (isTheirs) throw forbidden([], 'Somebody else has to hand over what ends with you')
}

/** Returns the user who is to answer for keys and clients: an active administrator. @throws Fault invalid */
async function requireReceiver(tx: Tx, from: UserRow, toId: string): Promise<UserRow> {
  const place = ['body', 'to_user_id']
  if (toId === from.id) throw invalid(place, 'value_error', 'Name another user: this one is about to leave')
  const to = await lockedActiveUser(tx, from.tenant_id, toId)
  if (to === null) throw referenceNotFound(place, 'Active user')
  if (!scopesOfUser(to).includes('tenant:admin'))
    throw invalid(place, 'value_error', 'Only an administrator answers for keys and applications')
  return to
}

/** Refuses a key that has more permissions than the receiver, who could not have issued it. @throws Fault invalid */
function requireCovering(to: UserRow, keys: readonly ApiKeyRow[]): void {
  const may = new Set(scopesOfUser(to))
  const exceeding = keys.find(({ scopes }) => !allows(may, parseScopes(scopes)))
  if (exceeding === undefined) return
  const msg = `The key “${exceeding.name}” has more permissions than this user`
  throw invalid(['body', 'to_user_id'], 'value_error', msg)
}

/** Returns the rows with these ids. @throws Fault invalid, at each id without a row */
function pick<T extends { readonly id: string }>(
  rows: readonly T[],
  ids: readonly string[],
  place: readonly string[],
  thing: string,
): T[] {
  const byId = new Map(rows.map((row) => [row.id, row]))
  const faults: FaultDetail[] = ids.flatMap((id, i) =>
    byId.has(id) ? [] : [...referenceNotFound([...place, String(i)], thing).details],
  )
  if (faults.length > 0) throw new Fault('invalid', faults)
  return [...new Set(ids)].map((id) => byId.get(id)!)
}
