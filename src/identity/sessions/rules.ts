import type { Caller } from '../../platform/access/caller.ts'
import { type Role, type Scope, SCOPES, scopesOfUser } from '../../platform/access/scopes.ts'
import { recordAudit } from '../../platform/audit/audit.ts'
import type { Database } from '../../platform/database/database.ts'
import type { UserRow } from '../../platform/database/tables.ts'
import { type Fault, invalid, unauthorized } from '../../platform/faults.ts'
import { hashSecret } from '../../platform/random-secret.ts'
import { realmOf } from '../tenants/realm.ts'
import { parseSettings } from '../tenants/settings.ts'
import { findTenant } from '../tenants/rules.ts'
import { findUser } from '../users/rules.ts'
import { TokenBuckets } from '../../platform/throttling/token-buckets.ts'
import { Background } from './background.ts'
import type { Session, SignIn } from './contract.ts'
import { isWeak } from './password-hash.ts'
import { Passwords } from './passwords.ts'
import { CONSOLE, openSession } from './session-opener.ts'
import type { Candidate, Reach } from './store.ts'
import * as store from './store.ts'
import { SignInThrottle } from './throttle.ts'

export { deleteSessionsOf, lockUser, purgeSessions } from './store.ts'

const MINUTE_MS = 60_000
/** Limit for one user, so that guessing passwords does not fill the audit log. */
const AUDITED_REFUSALS = { capacity: 10, intervalMs: MINUTE_MS }

/** The host that a person signs in at, and the address they come from. */
export interface SignInFacts {
  readonly host: string
  /** As `clientAddress` returns it. */
  readonly address: string
}

/** A new session, and the secret that its browser keeps. */
export interface Opened {
  readonly secret: string
  readonly session: Session
}

export interface SessionRulesOptions {
  readonly database: Database
  readonly publicUrl: () => string
  readonly onError: (error: unknown) => void
  readonly now?: () => number
}

/** Sign-in by password, sign-out, and the current session. */
export class SessionRules {
  readonly #database: Database
  readonly #publicUrl: () => string
  readonly #now: () => number
  readonly #passwords = new Passwords()
  readonly #throttle: SignInThrottle
  readonly #auditedRefusals = new TokenBuckets(AUDITED_REFUSALS.capacity, AUDITED_REFUSALS.intervalMs)
  readonly #background: Background

  constructor({ database, publicUrl, onError, now = Date.now }: SessionRulesOptions) {
    this.#database = database
    this.#publicUrl = publicUrl
    this.#now = now
    this.#throttle = new SignInThrottle(now)
    this.#background = new Background(onError)
  }

  /**
   * Signs a person in by email address and password.
   * @throws Fault unauthorized, with the same words and about the same time whatever is wrong; rate_limited;
   *   invalid with the type tenant_needed when several tenants match
   */
  async signIn(wish: SignIn, facts: SignInFacts): Promise<Opened> {
    const forget = this.#throttle.enter(facts.address, wish.email.toLowerCase())
    const judged = await this.#judge(wish, facts).catch((error: unknown) => {
      // Not a wrong guess: several tenants match, or an internal error.
      forget()
      throw error
    })
    if ('refused' in judged) {
      this.auditRefusals(judged.refused)
      throw refused()
    }
    forget()
    return judged
  }

  /** The tenants that can be signed into at a host. */
  async reach(host: string, named: string | null): Promise<Reach> {
    const { tenantId } = await realmOf(this.#database.queries, host, this.#publicUrl())
    return { tenantId, named }
  }

  /** The user, tenant and scopes of a credential. */
  async current(caller: Caller): Promise<Session> {
    const { queries } = this.#database
    const { id, settings } = caller.tenant
    const [tenant, user] = await Promise.all([
      findTenant(queries, id),
      caller.userId === null ? null : findUser(queries, id, caller.userId),
    ])
    return sessionFrom(user, { id, name: tenant!.name, language: settings.language }, caller.scopes)
  }

  /** Ends the session of a cookie, if there is one. */
  async signOut(secret: string): Promise<void> {
    const found = await store.findSession(this.#database.queries, hashSecret(secret), this.#now())
    if (found === null) return
    const { tenant_id: tenantId, id, user_id: userId } = found
    await this.#database.write(async (tx) => {
      if (!(await store.deleteSession(tx, tenantId, id))) return
      const actor = { userId, credentialId: id, audit: CONSOLE }
      await recordAudit(tx, tenantId, actor, [{ action: 'sign_out', resourceType: 'session', resourceId: id }])
    }, tenantId)
  }

  /** Audits failed sign-ins in the background: the time of an answer must not show whether the user exists. */
  auditRefusals(candidates: readonly Candidate[]): void {
    this.#background.start(() => this.#writeRefusals(candidates))
  }

  /** Waits for work in the background. */
  async close(): Promise<void> {
    await this.#background.idle()
  }

  /** @returns the new session, or the users whose sign-in failed */
  async #judge(
    { email, password, tenant = null }: SignIn,
    { host, address }: SignInFacts,
  ): Promise<Opened | { readonly refused: readonly Candidate[] }> {
    const candidates = await store.candidatesByEmail(this.#database.queries, await this.reach(host, tenant), email)
    const usable = candidates.filter(hasPassword)
    const hashOf = (each: WithPassword) => each.password.hash
    const fitting = await this.#passwords.matching(address, password, usable, hashOf)
    if (fitting.length > 1) throw invalid(['body', 'tenant'], 'tenant_needed', 'Several tenants match; name the tenant')
    const secret = fitting.length === 1 ? await this.#open(fitting[0], address, password) : null
    return secret === null ? { refused: candidates } : { secret, session: sessionOf(fitting[0]) }
  }

  async #open(candidate: WithPassword, address: string, password: string): Promise<string | null> {
    const { user, password: proof } = candidate
    const stronger = isWeak(proof.hash) ? await this.#passwords.hash(address, password) : null
    return openSession(this.#database, candidate, this.#now(), async (tx) => {
      if ((await store.passwordChangedAt(tx, user.tenant_id, user.id)) !== proof.changedAt) return null
      if (stronger !== null) await store.replaceHash(tx, user.tenant_id, user.id, stronger)
      return []
    })
  }

  async #writeRefusals(candidates: readonly Candidate[]): Promise<void> {
    const now = this.#now()
    for (const { user } of candidates) {
      const name = `${user.tenant_id} ${user.id}`
      if (this.#auditedRefusals.waitMs(name, now) > 0) continue
      this.#auditedRefusals.take(name, now)
      const nobody = { userId: null, credentialId: null, audit: CONSOLE }
      const event = { action: 'sign_in_refused', resourceType: 'user', resourceId: user.id } as const
      await this.#database.write((tx) => recordAudit(tx, user.tenant_id, nobody, [event]), user.tenant_id)
    }
  }
}

type WithPassword = Candidate & { readonly password: NonNullable<Candidate['password']> }

function hasPassword(candidate: Candidate): candidate is WithPassword {
  return candidate.password !== null && candidate.user.disabled_at === null
}

function refused(): Fault {
  return unauthorized(['body'], 'Wrong email address or password')
}

/** The session of a person who has just signed in. */
function sessionOf({ user, tenant: { name, settings } }: Candidate): Session {
  const { language } = parseSettings(settings)
  return sessionFrom(user, { id: user.tenant_id, name, language }, scopesOfUser(user.role as Role, user.ceiling))
}

function sessionFrom(user: UserRow | null, tenant: Session['tenant'], scopes: ReadonlySet<Scope>): Session {
  return {
    user: user === null ? null : { id: user.id, email: user.email, name: user.name, role: user.role },
    tenant,
    scopes: SCOPES.filter((scope) => scopes.has(scope)),
  }
}
