import type { Caller } from '../../platform/access/caller.ts'
import { recordAudit } from '../../platform/audit/audit.ts'
import type { Database, Tx } from '../../platform/database/database.ts'
import type { ProviderOrigin, UserRow } from '../../platform/database/tables.ts'
import { type Fault, invalid, unauthorized } from '../../platform/faults.ts'
import { hashSecret } from '../../platform/random-secret.ts'
import { realmOf } from '../tenants/realm.ts'
import { tenantSuspended } from '../tenants/suspended.ts'
import { findTenant } from '../tenants/rules.ts'
import { lowerEmail } from '../users/email.ts'
import { findUser } from '../users/rules.ts'
import { TokenBuckets } from '../../platform/throttling/token-buckets.ts'
import { Background } from './background.ts'
import type { Session, SignIn } from './contract.ts'
import type { SecondStep } from './factors/contract.ts'
import { hasFactor } from './factors/factor-store.ts'
import { stepOf } from './factors/second-step-rules.ts'
import { areKnownTo, type KnownDevice } from './known-device.ts'
import { Passwords } from './passwords.ts'
import { sessionFrom, sessionOf, sessionTenant } from './session-answer.ts'
import { admit, CONSOLE, openSession } from './session-opener.ts'
import type { Reach } from './reach.ts'
import type { Candidate } from './store.ts'
import * as store from './store.ts'
import { type Origin, SignInThrottle } from './throttle.ts'

const MINUTE_MS = 60_000
/** Limit for one user, so that guessing passwords does not fill the audit log. */
const AUDITED_REFUSALS = { capacity: 10, intervalMs: MINUTE_MS }

/** Host that a person signs in at, and the address and browser that the request comes from. */
export interface SignInFacts {
  readonly host: string
  /** As `clientAddress` returns it. */
  readonly address: string
  /** The User-Agent header; undefined without one. */
  readonly browser?: string
}

/** New session, and the secret that its browser keeps. */
export interface NewSession {
  readonly secret: string
  readonly session: Session
}

/** Sign-in that waits for a second factor, and the secret that its browser keeps. */
interface WaitingSignIn {
  readonly secret: string
  readonly step: SecondStep
}

export interface SessionRulesOptions {
  readonly database: Database
  readonly publicUrl: () => string
  readonly onError: (error: unknown) => void
  /** Hashes passwords for all parts of the service, so that all wait in one queue. */
  readonly passwords?: Passwords
  readonly now?: () => number
}

/** Signs people in by password and out, and describes the current session. */
export class SessionRules {
  readonly #database: Database
  readonly #publicUrl: () => string
  readonly #now: () => number
  readonly #passwords: Passwords
  readonly #throttle: SignInThrottle
  readonly #auditedRefusals = new TokenBuckets(AUDITED_REFUSALS.capacity, AUDITED_REFUSALS.intervalMs)
  readonly #background: Background

  constructor({ database, publicUrl, onError, passwords = new Passwords(), now = Date.now }: SessionRulesOptions) {
    this.#database = database
    this.#passwords = passwords
    this.#publicUrl = publicUrl
    this.#now = now
    this.#throttle = new SignInThrottle(now)
    this.#background = new Background(onError)
  }

  /**
   * Signs a person in by email address and password, or begins the second step for one who has a second factor.
   * @param device the browser, if people signed in there before; strangers' guesses at an account are bounded together
   * @throws Fault unauthorized, for every fault with the same message and after about the same time; rate_limited;
   *   invalid with the type tenant_needed when several tenants match; forbidden of the type tenant_suspended
   */
  async signIn(
    wish: SignIn,
    facts: SignInFacts,
    device: KnownDevice | null = null,
  ): Promise<NewSession | WaitingSignIn> {
    const origin = await this.#originOf(wish, facts, device)
    const forget = this.#throttle.enter(facts.address, lowerEmail(wish.email), origin)
    const outcome = await this.#judge(wish, facts).catch((error: unknown) => {
      // No wrong guess: several tenants match or are suspended, too many passwords wait, or an internal error.
      forget()
      throw error
    })
    if ('refused' in outcome) {
      this.auditRefusals(outcome.refused)
      throw refusal()
    }
    forget()
    return outcome
  }

  /**
   * Returns the tenants that a person can sign in to at a host.
   * @param named the tenant that the request names; null without one
   */
  async reach(host: string, named: string | null): Promise<Reach> {
    const { tenantId } = await realmOf(this.#database.queries, host, this.#publicUrl())
    return { tenantId, named }
  }

  /**
   * Returns the users who could sign in at a host by an email address and a password, without suspended tenants.
   * @param named the only tenant to search; null for all tenants of the host
   */
  async peopleAt(host: string, named: string | null, email: string): Promise<UserRow[]> {
    return store.peopleByEmail(this.#database.queries, await this.reach(host, named), email)
  }

  /** Returns the user, tenant and scopes of a credential. */
  async current(caller: Caller): Promise<Session> {
    const { queries } = this.#database
    const { tenant: context, userId, credentialId } = caller
    const { id, settings } = context
    const [tenant, user, session] = await Promise.all([
      findTenant(queries, id),
      userId === null ? null : findUser(queries, id, userId),
      caller.credentialKind === 'session' ? store.sessionById(queries, id, credentialId!) : null,
    ])
    const hasSecondFactor =
      caller.lacksSecondFactor === true && (await hasFactor(queries, { tenantId: id, userId: userId! }))
    const demand = hasSecondFactor ? 'sign_in_again' : 'set_up'
    return sessionFrom(user, sessionTenant(id, tenant!.name, settings), caller.scopes, {
      secondFactor: caller.lacksSecondFactor === true ? demand : null,
      factorsResetAt: session?.factors_reset_at ?? null,
    })
  }

  /**
   * Tells whether a password is the user's.
   * @throws Fault rate_limited or unavailable when too many passwords wait
   */
  async isPasswordOf(tenantId: string, userId: string, password: string, address: string): Promise<boolean> {
    const stored = await store.passwordOf(this.#database.queries, tenantId, userId)
    const hashes = stored === null ? [] : [stored.hash]
    return (await this.#passwords.matching(address, password, hashes, (each) => each)).length > 0
  }

  /**
   * Signs in a user who has proved by other means than a password who they are.
   * @throws Fault unauthorized when the user may not sign in; forbidden of the type tenant_suspended
   */
  async open(user: UserRow, facts: SignInFacts): Promise<NewSession> {
    const tenant = await findTenant(this.#database.queries, user.tenant_id)
    if (tenant === null) throw refusal()
    if (tenant.suspended_at !== null) throw tenantSuspended(['body'])
    const opened = await openSession(this.#database, { user }, this.#now(), async () => [], { from: facts })
    if (opened === null) throw refusal()
    return { secret: opened.secret, session: sessionOf({ user }, tenant, opened.factorsResetAt, 'password') }
  }

  /** Ends the session of a cookie. @returns the sign-in at a provider that it came from; null without a session */
  async signOut(secret: string): Promise<ProviderOrigin | null> {
    const session = await store.findSession(this.#database.queries, hashSecret(secret), this.#now())
    if (session === null) return null
    const { tenant_id: tenantId, id, user_id: userId } = session
    await this.#database.write(async (tx) => {
      if (!(await store.deleteSession(tx, tenantId, id))) return
      const actor = { userId, credentialId: id, audit: CONSOLE }
      await recordAudit(tx, tenantId, actor, [{ action: 'sign_out', resourceType: 'session', resourceId: id }])
    }, tenantId)
    return session
  }

  /** Audits failed sign-ins in the background: the time of an answer must not show whether the user exists. */
  auditRefusals(candidates: readonly Pick<Candidate, 'user'>[]): void {
    this.#background.start(() => this.#writeRefusals(candidates))
  }

  /** Waits for work in the background. */
  async close(): Promise<void> {
    await this.#background.idle()
  }

  /**
   * Tells where a try comes from. An address may have accounts in several tenants: only a browser or an address that all
   * of them know is known, since anybody who runs a tenant can make an account of any address there.
   */
  async #originOf({ email, tenant = null }: SignIn, facts: SignInFacts, device: KnownDevice | null): Promise<Origin> {
    // The database is asked only where the answer may matter.
    if (device === null && !this.#throttle.isUsedUp(lowerEmail(email))) return 'stranger'
    const { queries } = this.#database
    const candidates = await store.candidatesByEmail(queries, await this.reach(facts.host, tenant), email)
    const tried = candidates.map(({ user }) => ({ tenantId: user.tenant_id, userId: user.id }))
    if (device !== null && areKnownTo(device, tried)) return { device: device.id }
    const isKnown = await store.haveSessionsFrom(queries, tried, facts.address, this.#now())
    return isKnown ? 'known address' : 'stranger'
  }

  /** Checks a password and admits its user. @returns the session or second step, or the users whose sign-in failed */
  async #judge(
    { email, password, tenant = null }: SignIn,
    facts: SignInFacts,
  ): Promise<NewSession | WaitingSignIn | { readonly refused: readonly Candidate[] }> {
    const reach = await this.reach(facts.host, tenant)
    const candidates = await store.candidatesByEmail(this.#database.queries, reach, email)
    const withPassword = candidates.filter(hasPassword)
    const hashOf = (each: WithPassword) => each.password.hash
    const matching = await this.#passwords.matching(facts.address, password, withPassword, hashOf)
    // Only a person who knows the password learns that the tenant is suspended.
    const users = matching.filter(({ tenant: { suspended_at: at } }) => at === null)
    if (matching.length > 0 && users.length === 0) throw tenantSuspended(['body'])
    if (users.length > 1) throw invalid(['body', 'tenant'], 'tenant_needed', 'Several tenants match; name the tenant')
    const outcome = users.length === 1 ? await this.#admit(users[0], facts, password) : null
    if (outcome === null) return { refused: candidates }
    const { secret } = outcome
    const [{ user, tenant: home }] = users
    if (outcome.kind === 'session')
      return { secret, session: sessionOf({ user }, home, outcome.factorsResetAt, 'password') }
    const holder = { tenantId: user.tenant_id, userId: user.id }
    return { secret, step: await stepOf(this.#database, holder, outcome.expiresAt) }
  }

  async #admit(candidate: WithPassword, facts: SignInFacts, password: string): ReturnType<typeof admit> {
    const { user, password: stored } = candidate
    const stronger = this.#passwords.isWeak(stored.hash) ? await this.#passwords.hash(facts.address, password) : null
    const checkAgain = async (tx: Tx): Promise<[] | null> => {
      if ((await store.passwordChangedAt(tx, user.tenant_id, user.id)) !== stored.changedAt) return null
      if (stronger !== null) await store.replaceHash(tx, user.tenant_id, user.id, stronger)
      return []
    }
    const proof = { strength: 'password', passwordChangedAt: stored.changedAt, from: facts } as const
    return admit(this.#database, candidate, proof, this.#now(), checkAgain)
  }

  async #writeRefusals(candidates: readonly Pick<Candidate, 'user'>[]): Promise<void> {
    const now = this.#now()
    for (const { user } of candidates) {
      const name = `${user.tenant_id} ${user.id}`
      if (this.#auditedRefusals.waitMs(name, now) > 0) continue
      this.#auditedRefusals.take(name, now)
      const actor = { userId: null, credentialId: null, audit: CONSOLE }
      const event = { action: 'sign_in_refused', resourceType: 'user', resourceId: user.id } as const
      await this.#database.write((tx) => recordAudit(tx, user.tenant_id, actor, [event]), user.tenant_id)
    }
  }
}

type WithPassword = Candidate & { readonly password: NonNullable<Candidate['password']> }

function hasPassword(candidate: Candidate): candidate is WithPassword {
  return candidate.password !== null && candidate.user.disabled_at === null
}

function refusal(): Fault {
  return unauthorized(['body'], 'Wrong email address or password')
}
