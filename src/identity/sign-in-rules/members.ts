import type { Role } from '../../platform/access/scopes.ts'
import { recordAudit, SERVICE } from '../../platform/audit/audit.ts'
import type { Database, Tx } from '../../platform/database/database.ts'
import type { UserRow } from '../../platform/database/tables.ts'
import { Fault } from '../../platform/faults.ts'
import { endAccess, endExceedingAccess } from '../administration/end-access.ts'
import { endGrantsOf } from '../oauth/authorize/grants.ts'
import { endResetsOf } from '../password-resets/end-rules.ts'
import type { Identity } from '../sessions/provider-client.ts'
import { factorStatus } from '../sessions/factors/factor-status.ts'
import { linkAccount, linkOf, noteLeft } from '../sessions/identity-rules.ts'
import { lockUser } from '../sessions/lock-rules.ts'
import { endSessionsOf } from '../sessions/open-sessions.ts'
import type { Admission, ProviderMembers } from '../sessions/provider-rules.ts'
import { hasPassword } from '../sessions/set-password.ts'
import { changesBetween } from '../tenants/changes.ts'
import { lockTenant } from '../tenants/lock-rules.ts'
import { isAdministrator } from '../users/bounds.ts'
import { changeAccess } from '../users/change-rules.ts'
import { addUser, findUser, isLastAdministrator } from '../users/rules.ts'
import type { SignInRules } from './contract.ts'
import { type Access, accessFor, groupsIn } from './groups.ts'
import { rulesOf } from './rules.ts'
import * as store from './store.ts'

const HOUR_SECONDS = 3_600
/** Most characters of the name that a provider gives a new user. */
const NAME_MAX = 200

/** Access that a user gets at sign-in: the present one or that of the groups; null for none. */
type Decision = 'as they are' | Access | null

/** Makes people of the outside provider users of a tenant, and sets users' roles by their groups. */
export class GroupMembers implements ProviderMembers {
  readonly #database: Database
  readonly #now: () => number

  constructor(database: Database, now: () => number = Date.now) {
    this.#database = database
    this.#now = now
  }

  /**
   * Applies a tenant's rules to a user who signs in at the provider: links the account at the first time, sets
   * the role and ceiling of the groups, and ends the access of a user who is in none of the groups any more.
   * @returns null when the user may not sign in; link_proof_needed when the account waits for the user's own proof
   * @throws ProviderTrouble when the provider does not tell the groups
   */
  async admit(
    { tenant_id: tenantId, id }: UserRow,
    identity: Identity,
  ): Promise<Admission | 'link_proof_needed' | null> {
    const { value: rules } = await rulesOf(this.#database.queries, tenantId)
    const decision = rules.groups.length === 0 ? 'as they are' : await decide(rules, identity)
    return this.#database.write(async (tx) => {
      await lockTenant(tx, tenantId)
      const user = await findUser(tx, tenantId, id)
      return user === null ? null : this.#admitUser(tx, user, identity, rules, decision)
    }, tenantId)
  }

  /**
   * Makes a user of a person, if exactly one tenant is in reach and that tenant makes users.
   * @param reach `tenantId` of the host, null at the shared address; `named` is the tenant that the person named
   * @param email address that the provider has verified
   * @returns null when no tenant takes the person; tenant_needed when several tenants could
   * @throws ProviderTrouble when the provider does not tell the groups
   */
  async join(
    reach: { readonly tenantId: string | null; readonly named: string | null },
    identity: Identity,
    email: string,
  ): Promise<{ user: UserRow; admission: Admission } | 'tenant_needed' | null> {
    const { queries } = this.#database
    const tenants = await store.tenantsWithin(queries, reach, 2)
    if (tenants.length > 1) return (await store.anySharedMakesUsers(queries)) ? 'tenant_needed' : null
    if (tenants.length === 0) return null
    const [tenantId] = tenants
    const { value: rules } = await rulesOf(queries, tenantId)
    const access = rules.create_users ? await decide(rules, identity) : null
    if (access === null) return null
    const name = await nameOf(identity, email)
    return this.#database
      .write(async (tx) => {
        await lockTenant(tx, tenantId)
        // The person may have become a user meanwhile, in another window.
        const link = await linkOf(tx, tenantId, identity)
        const present = await findUser(tx, tenantId, link?.user_id ?? email)
        if (present !== null && link === null) return null
        const wish = { email, name, role: access.role }
        const user = present ?? (await addUser(tx, tenantId, wish, SERVICE))
        // The user is new, or was made for this person in another window: there is no older account to prove.
        const own = { ...rules, link_by_email: true, link_proof: false }
        const admission = await this.#admitUser(tx, user, identity, own, access)
        return admission === null || admission === 'link_proof_needed' ? null : { user, admission }
      }, tenantId)
      .catch(nullWhenInvalid)
  }

  async #admitUser(
    tx: Tx,
    user: UserRow,
    identity: Identity,
    rules: SignInRules,
    decision: Decision,
  ): Promise<Admission | 'link_proof_needed' | null> {
    const { tenant_id: tenantId, id } = user
    const link = await linkOf(tx, tenantId, identity)
    if (link !== null && link.user_id !== id) return null
    const leftAt = link?.left_at ?? null
    if (user.disabled_at !== null && user.disabled_at !== leftAt) return null
    if (link === null) {
      if (!rules.link_by_email || decision === null) return null
      if (rules.link_proof !== false && (await canProve(tx, user))) return 'link_proof_needed'
      if (!(await linkAccount(tx, user, identity, this.#now()))) return null
    }
    if (decision === null) {
      await this.#leave(tx, user, identity)
      return null
    }
    if (decision !== 'as they are') await this.#follow(tx, user, identity, decision)
    else if (user.disabled_at !== null) return null
    return { seconds: rules.session_hours * HOUR_SECONDS }
  }

  /**
   * Gives a user the access of the groups. The last administrator keeps the present access when the groups give less.
   */
  async #follow(tx: Tx, user: UserRow, identity: Identity, access: Access): Promise<void> {
    const { tenant_id: tenantId, id } = user
    const mustStay = !isAdministrator({ ...access, disabled_at: null }) && (await isLastAdministrator(tx, user))
    const { role, ceiling } = mustStay ? { role: user.role as Role, ceiling: user.ceiling } : access
    const before = { role: user.role, ceiling: user.ceiling, disabled: user.disabled_at !== null }
    const changes = changesBetween(before, { role, ceiling, disabled: false })
    if (Object.keys(changes).length === 0) return
    await changeAccess(tx, user, { role, ceiling, disabled_at: null })
    await endResetsOf(tx, tenantId, id)
    await endExceedingAccess(tx, user, { ...user, role, ceiling }, SERVICE)
    await noteLeft(tx, tenantId, identity, null)
    await recordAccess(tx, user, { changes })
  }

  /**
   * Ends the access of a user who is in no group any more, as for a user whom an administrator disables. The last
   * administrator is only signed out.
   */
  async #leave(tx: Tx, user: UserRow, identity: Identity): Promise<void> {
    const { tenant_id: tenantId, id } = user
    if (await isLastAdministrator(tx, user)) {
      // Orders this with a consent or a sign-in of the same moment, which locks the user too.
      await lockUser(tx, tenantId, id)
      await endSessionsOf(tx, tenantId, id)
      await endGrantsOf(tx, tenantId, { userId: id }, SERVICE)
      return
    }
    const now = this.#now()
    const isActive = user.disabled_at === null
    if (isActive) await changeAccess(tx, user, { disabled_at: now })
    await endAccess(tx, tenantId, id, SERVICE)
    if (!isActive) return
    await endResetsOf(tx, tenantId, id)
    await noteLeft(tx, tenantId, identity, now)
    await recordAccess(tx, user, { changes: { disabled: { before: false, after: true } } })
  }
}

/** Tells whether a user can sign in without the provider, by a password or a passkey. */
async function canProve(tx: Tx, { tenant_id: tenantId, id: userId }: UserRow): Promise<boolean> {
  if (await hasPassword(tx, tenantId, userId)) return true
  return (await factorStatus(tx, { tenantId, userId })).passkeys > 0
}

/** Returns the access of a person by the rules of a tenant. The user info is read when the ID token has no groups. */
async function decide(rules: SignInRules, identity: Identity): Promise<Access | null> {
  if (rules.groups.length === 0) return accessFor(rules, new Set())
  const name = rules.groups_claim
  const groups = groupsIn(identity.claims, name) ?? groupsIn(await identity.userInfo(), name)
  return accessFor(rules, groups ?? new Set())
}

async function nameOf(identity: Identity, email: string): Promise<string> {
  const claim = identity.claims.name ?? (await identity.userInfo()).name
  const name = typeof claim === 'string' ? claim.replaceAll(/\p{Cc}/gu, ' ').trim() : ''
  return name === '' ? email : Array.from(name.toWellFormed()).slice(0, NAME_MAX).join('')
}

async function recordAccess(
  tx: Tx,
  { tenant_id: tenantId, id }: UserRow,
  details: Readonly<Record<string, unknown>>,
): Promise<void> {
  const event = { action: 'update', resourceType: 'user', resourceId: id, details } as const
  await recordAudit(tx, tenantId, SERVICE, [event])
}

/** Turns an invalid user into null, because the address that a provider verifies need not be an email address. */
function nullWhenInvalid(error: unknown): null {
  if (error instanceof Fault && error.kind === 'invalid') return null
  throw error
}
