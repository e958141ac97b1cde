import type { Caller } from '../../platform/access/caller.ts'
import { allows } from '../../platform/access/scopes.ts'
import type { Database, Queries, Tx } from '../../platform/database/database.ts'
import type { Page, PageOf } from '../../platform/database/page.ts'
import type { ApiKeyRow, UserRow } from '../../platform/database/tables.ts'
import {
  Fault,
  type FaultDetail,
  forbidden,
  invalid,
  notFound,
  referenceNotFound,
  unauthorized,
} from '../../platform/faults.ts'
import type { ApiKey, ApiKeyCreate, ApiKeyCreated, PublishableKeyCreate } from './contract.ts'
import { findKey, keyOfCaller, type KeyPlace, pageOfKeys } from '../api-keys/list-rules.ts'
import { issueApiKey, type NewApiKey } from '../api-keys/rules.ts'
import {
  CLICK_SCOPE,
  pageOrigin,
  type PublishableBinding,
  scopesOfSections,
  SECTION_SCOPES,
} from '../api-keys/publishable.ts'
import type { Confirmations, RequireProof } from '../sessions/factors/confirmations.ts'
import { holdsStill } from '../sessions/lock-rules.ts'
import type { SignInFacts } from '../sessions/rules.ts'
import { revokeApiKey, revokeWithIssued } from './end-access.ts'
import { keyOf, usersNamedBy } from './key-answer.ts'
import { requireManageable } from '../users/bounds.ts'
import { findUser, usersById } from '../users/rules.ts'

/** Finds a tenant's site by its id or slug. Passed in, since identity may not import sites. */
export type FindSite = (db: Queries, tenantId: string, idOrSlug: string) => Promise<{ readonly id: string } | null>

interface KeyAdministrationOptions {
  readonly database: Database
  readonly findSite: FindSite
  readonly confirmations: Confirmations
  readonly now?: () => number
}

/** Lists, issues and revokes the keys of the caller's tenant. */
export class KeyAdministration {
  readonly #database: Database
  readonly #findSite: FindSite
  readonly #confirmations: Confirmations
  readonly #now: () => number

  constructor({ database, findSite, confirmations, now = Date.now }: KeyAdministrationOptions) {
    this.#database = database
    this.#findSite = findSite
    this.#confirmations = confirmations
    this.#now = now
  }

  /** Returns a page of the tenant's API keys, oldest first. */
  async keys({ tenant }: Caller, page: PageOf<KeyPlace>): Promise<Page<ApiKey, KeyPlace>> {
    const { queries } = this.#database
    const { items, next } = await pageOfKeys(queries, tenant.id, page)
    const users = await usersById(queries, tenant.id, usersNamedBy(items))
    return { items: items.map((row) => keyOf(row, users)), next }
  }

  /**
   * Issues a key that has no more permissions than the caller, and lasts no longer than the key that issues it. A
   * signed-in person proves again who they are for a key that administers the tenant: it would outlast a stolen session.
   * @throws Fault naming the faulty field; forbidden of type proof_needed
   */
  issue(caller: Caller, draft: ApiKeyCreate, facts: SignInFacts): Promise<ApiKeyCreated> {
    return this.#issue(caller, draft, { facts })
  }

  /**
   * Issues a publishable key like any other. It belongs to the user of the key that issues it, so that it ends with
   * that user; a signed-in person issues it for no user.
   * @throws Fault naming the faulty field
   */
  async issuePublishable(caller: Caller, draft: PublishableKeyCreate): Promise<ApiKeyCreated> {
    const binding = await bindingOf(this.#database.queries, this.#findSite, caller.tenant.id, draft)
    const lacking = draft.sections.findIndex((section) => !caller.scopes.has(SECTION_SCOPES[section]))
    if (lacking >= 0) throw forbidden(['body', 'sections', String(lacking)], 'You may not read this section yourself')
    if (!caller.scopes.has(CLICK_SCOPE)) {
      throw forbidden(['header', 'authorization'], `Scope ${CLICK_SCOPE} is needed`, [CLICK_SCOPE])
    }
    const { name, expires_at } = draft
    const scopes = [...scopesOfSections(binding.sections)]
    return this.#issue(caller, { name, scopes, expires_at }, { publishable: binding })
  }

  /** Issues a key. A confirmation needs the facts of the request; a publishable key has its binding. */
  async #issue(
    caller: Caller,
    draft: ApiKeyCreate,
    { facts, publishable }: { readonly facts?: SignInFacts; readonly publishable?: PublishableBinding },
  ): Promise<ApiKeyCreated> {
    const { name, scopes } = draft
    const tenantId = caller.tenant.id
    const kind = caller.credentialKind
    const issuing = kind === 'key' ? await this.#key(caller) : null
    const userId = draft.user_id === undefined ? (issuing?.user_id ?? null) : draft.user_id
    const user = userId === null ? null : await this.#user(tenantId, userId)
    // The new key would outlive the grant or the API key that the token came from.
    if (kind === 'token' || kind === null) {
      throw forbidden(['header', 'authorization'], 'An access token issues no API keys')
    }
    const exceeding = scopes.findIndex((scope) => !allows(caller.scopes, [scope]))
    if (exceeding >= 0) throw forbidden(['body', 'scopes', String(exceeding)], 'You do not have this scope yourself')
    if (user !== null) requireActsFor(caller, user, ['body', 'user_id'])
    const personal = scopes.indexOf('knowledge:personal')
    // Otherwise an administrator could read another user's personal notes.
    if (personal >= 0 && userId !== null && userId !== caller.userId) {
      throw forbidden(['body', 'scopes', String(personal)], 'Only the owner of personal notes may have this scope')
    }
    const expiresAt =
      draft.expires_at === undefined
        ? (issuing?.expires_at ?? null)
        : draft.expires_at === null
          ? null
          : Date.parse(draft.expires_at)
    if (expiresAt !== null && expiresAt <= this.#now()) {
      throw invalid(['body', 'expires_at'], 'value_error', 'Input should be in the future')
    }
    if (issuing !== null) requireNotOutliving(issuing, { userId, expiresAt })
    const issuer = { userId: caller.userId, credentialId: caller.credentialId, audit: caller.audit, kind }
    const newKey: NewApiKey = { name, scopes, userId, expiresAt, publishable }
    const isAdministering = facts !== undefined && scopes.includes('tenant:admin')
    const issue = (requireProof: RequireProof) =>
      issueApiKey(this.#database, tenantId, newKey, issuer, async (tx) => {
        // Orders this with the end of the user's access: either that finds the new key, or the user is refused here.
        if (!(await holdsStill(tx, caller)))
          throw unauthorized(['header', 'authorization'], 'The user was disabled or given less access meanwhile')
        await requireProof(tx)
      })
    const { id, key } = await (isAdministering
      ? this.#confirmations.giving({ caller, confirmation: draft.confirmation, facts }, true, issue)
      : issue(() => Promise.resolve()))
    const row = await findKey(this.#database.queries, tenantId, id)
    const people = [user, caller.userId === null ? null : await this.#user(tenantId, caller.userId)]
    return { ...keyOf(row!, new Map(people.flatMap((each) => (each === null ? [] : [[each.id, each]])))), key }
  }

  /**
   * Revokes a key.
   * @throws Fault not_found when the key does not exist or is revoked already; forbidden for a key of a user who may do
   *   more than the caller
   */
  async revoke(caller: Caller, id: string): Promise<void> {
    await atKeyPlace(revokeApiKey(this.#database, caller.tenant.id, id, caller, requireMayRevoke(caller)))
  }

  /**
   * Revokes a key and all keys that it issued, directly or through others.
   * @returns number of keys that this revoked
   * @throws Fault like `revoke`
   */
  async revokeWithIssued(caller: Caller, id: string): Promise<number> {
    return atKeyPlace(revokeWithIssued(this.#database, caller.tenant.id, id, caller, requireMayRevoke(caller)))
  }

  async #key(caller: Caller): Promise<ApiKeyRow> {
    const key = await keyOfCaller(this.#database.queries, caller)
    if (key === null) throw unauthorized(['header', 'authorization'], 'The API key is no longer valid')
    return key
  }

  async #user(tenantId: string, userId: string): Promise<UserRow> {
    const user = await findUser(this.#database.queries, tenantId, userId)
    if (user === null) throw referenceNotFound(['body', 'user_id'], 'User')
    return user
  }
}

/**
 * Refuses to issue or revoke a key of a user who may do more than the caller, because a key acts in its user's name.
 * @throws Fault forbidden
 */
function requireActsFor(caller: Caller, user: UserRow, place: readonly string[]): void {
  if (user.id !== caller.userId) requireManageable(caller, user, place)
}

/** Returns the check of a revocation by the caller: it refuses to revoke a key of a user who may do more. */
const requireMayRevoke =
  (caller: Caller) =>
  async (tx: Tx, { user_id: userId }: ApiKeyRow): Promise<void> => {
    const user = userId === null ? null : await findUser(tx, caller.tenant.id, userId)
    if (user !== null) requireActsFor(caller, user, ['path', 'key_id'])
  }

/**
 * Returns the binding of a new publishable key, as the key's row stores it.
 * @throws Fault invalid, at each origin that is not the address of a web server and each site that does not exist
 */
async function bindingOf(
  db: Queries,
  findSite: FindSite,
  tenantId: string,
  { origins, sections, sites = null }: Pick<PublishableKeyCreate, 'origins' | 'sections' | 'sites'>,
): Promise<PublishableBinding> {
  const faults: FaultDetail[] = []
  const pageOrigins = origins.map((text, i) => {
    const origin = pageOrigin(text)
    const msg = 'Input should be the address of a web server without a path, such as https://shop.example'
    if (origin === null) faults.push({ loc: ['body', 'origins', String(i)], msg, type: 'value_error' })
    return origin ?? ''
  })
  const siteIds: string[] = []
  for (const [i, name] of (sites ?? []).entries()) {
    const site = await findSite(db, tenantId, name)
    if (site === null) faults.push(...referenceNotFound(['body', 'sites', String(i)], 'Site').details)
    else siteIds.push(site.id)
  }
  if (faults.length > 0) throw new Fault('invalid', faults)
  return {
    sites: sites === null ? null : [...new Set(siteIds)],
    sections: [...new Set(sections)],
    origins: [...new Set(pageOrigins)],
  }
}

/** Turns `not_found` of a revocation into a fault that names the path parameter of the route. */
async function atKeyPlace<T>(revocation: Promise<T>): Promise<T> {
  try {
    return await revocation
  } catch (error) {
    if (error instanceof Fault && error.kind === 'not_found') throw notFound(['path', 'key_id'], 'API key')
    throw error
  }
}

/**
 * Refuses a key that would outlive the key that issues it, by a later expiry or another user. A signed-in person may
 * issue such a key, because the audit record names the person.
 * @throws Fault forbidden, naming the field
 */
function requireNotOutliving(
  issuing: ApiKeyRow,
  { userId, expiresAt }: { userId: string | null; expiresAt: number | null },
): void {
  if (issuing.user_id !== null && userId !== issuing.user_id) {
    const msg = 'An API key of a user can issue keys of that user only; sign in to issue others'
    throw forbidden(['body', 'user_id'], msg)
  }
  if (issuing.expires_at !== null && (expiresAt === null || expiresAt > issuing.expires_at)) {
    const msg = 'An API key cannot issue a key that lasts longer than itself; sign in to issue one'
    throw forbidden(['body', 'expires_at'], msg)
  }
}
