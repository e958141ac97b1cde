import type { Database, Tx } from '../../platform/database/database.ts'
import type { UserRow } from '../../platform/database/tables.ts'
import { realmOf } from '../tenants/realm.ts'
import { requireTenant } from '../tenants/rules.ts'
import { TokenBuckets } from '../../platform/throttling/token-buckets.ts'
import { findIdentity } from './identity-store.ts'
import type { PendingLink } from './pending-link.ts'
import type { Identity, PendingSignIn, ProviderClient } from './provider-client.ts'
import { ProviderTrouble } from './provider-trouble.ts'
import type { Reach } from './reach.ts'
import type { SessionRules, SignInFacts } from './rules.ts'
import { admit } from './session-opener.ts'
import type { Candidate } from './store.ts'
import * as store from './store.ts'

/** Path that the provider sends browsers back to. */
export const CALLBACK = '/sign-in/provider/callback'
/** Limit for one client address, because each sign-in costs requests to the provider. */
const PER_ADDRESS = { capacity: 60, intervalMs: 3_000 }

/** Reason why a sign-in failed; the sign-in page explains it. */
export type ProviderFault = 'provider_failed' | 'provider_unknown_user' | 'tenant_needed' | 'too_many_tries'

/** Terms on which a person may sign in. */
export interface Admission {
  /** Lifetime of the session. */
  readonly seconds: number
}

/** Decides by a tenant's rules who may sign in, and as which user (`identity/sign-in-rules/members.ts`). */
export interface ProviderMembers {
  /**
   * Admits a user.
   * @returns null when the user may not sign in; link_proof_needed when the account is linked only after the user has
   *   proved the local account
   */
  admit(user: UserRow, identity: Identity): Promise<Admission | 'link_proof_needed' | null>
  /**
   * Makes a person a user of a tenant within reach.
   * @returns the user; tenant_needed when several tenants could take the person, null when none does
   */
  join(
    reach: Reach,
    identity: Identity,
    email: string,
  ): Promise<{ user: UserRow; admission: Admission } | 'tenant_needed' | null>
}

/** New session or second step, and the secret that its browser keeps. */
interface ProviderSignIn extends Admission {
  readonly kind: 'session' | 'step'
  readonly secret: string
}

/** Account at the provider that waits for the proof of the local account with the same address. */
interface WaitingLink {
  readonly kind: 'link'
  readonly link: PendingLink
}

export interface ProviderRulesOptions {
  readonly database: Database
  readonly members: ProviderMembers
  readonly client: ProviderClient
  readonly sessions: SessionRules
  readonly publicUrl: () => string
  /** Seals the ID token for the session; null for one that is not kept. */
  readonly sealIdToken: (idToken: string) => string | null
  readonly onError: (error: unknown) => void
  readonly now?: () => number
}

/** Signs people in at an outside OpenID provider. The provider identifies people; a tenant's rules admit them. */
export class ProviderRules {
  readonly #options: ProviderRulesOptions
  readonly #now: () => number
  readonly #perAddress = new TokenBuckets(PER_ADDRESS.capacity, PER_ADDRESS.intervalMs)

  constructor(options: ProviderRulesOptions) {
    this.#options = options
    this.#now = options.now ?? Date.now
  }

  /**
   * Begins a sign-in.
   * @returns the address to send the browser to, and the sign-in that the browser keeps; a fault when the provider does
   *   not answer, or the address has tried too often
   */
  async begin(
    { host, address }: SignInFacts,
    wish: Pick<PendingSignIn, 'returnTo' | 'tenant'>,
  ): Promise<{ location: string; pending: PendingSignIn } | ProviderFault> {
    if (!this.#mayTry(address)) return 'too_many_tries'
    const { client, database, publicUrl } = this.#options
    const { issuer: origin } = await realmOf(database.queries, host, publicUrl())
    try {
      const { location, pending } = await client.authorization(`${origin}${CALLBACK}`)
      return { location, pending: { ...pending, ...wish } }
    } catch (error) {
      this.#options.onError(error)
      return 'provider_failed'
    }
  }

  /**
   * Signs in the person whom the provider sent back.
   * @param query the query of the callback's address, with its question mark
   * @returns the secret of the session or of the second step, or a link that waits for a proof; else why the sign-in
   *   failed
   */
  async finish(
    facts: SignInFacts,
    query: string,
    pending: PendingSignIn,
  ): Promise<ProviderSignIn | WaitingLink | ProviderFault> {
    const { host, address } = facts
    if (!this.#mayTry(address)) return 'too_many_tries'
    const { client, sessions, onError } = this.#options
    const reportError = (error: unknown) => {
      onError(error)
      return null
    }
    const identity = await client.identity(query, pending).catch(reportError)
    if (identity === null) return 'provider_failed'
    const reach = await sessions.reach(host, pending.tenant)
    let candidates = await this.#linked(reach, identity)
    let email: string | null = null
    if (candidates.length === 0) {
      // An object around the address tells a missing address from an error.
      const answer = await identity.verifiedEmail().then((verified) => ({ verified }), reportError)
      if (answer === null) return 'provider_failed'
      email = answer.verified
      candidates = email === null ? [] : await store.candidatesByEmail(this.#options.database.queries, reach, email)
    }
    const member = await this.#admit(reach, identity, candidates, email).catch((error: unknown) => {
      if (!(error instanceof ProviderTrouble)) throw error
      onError(error)
      return 'provider_failed' as const
    })
    if (typeof member === 'string') return member
    if (member !== null && 'link' in member) return { kind: 'link', link: member.link }
    const signIn = member === null ? null : await this.#open(member, identity, facts)
    if (signIn !== null) return signIn
    sessions.auditRefusals(candidates)
    return 'provider_unknown_user'
  }

  /**
   * Returns the user that the person is, with the admission by the rules of the user's tenant.
   * @param email the verified address of a person who is linked to no user; else null
   * @returns null when the person may not sign in
   */
  async #admit(
    reach: Reach,
    identity: Identity,
    candidates: readonly Candidate[],
    email: string | null,
  ): Promise<{ user: UserRow; admission: Admission } | { link: PendingLink } | ProviderFault | null> {
    const { members } = this.#options
    if (candidates.length === 0) return email === null ? null : members.join(reach, identity, email)
    // No user of a suspended tenant is admitted. A user who was disabled for leaving every group may be in one again.
    const active = candidates.filter(
      ({ user, tenant, leftAt = null }) =>
        tenant.suspended_at === null && (user.disabled_at === null || user.disabled_at === leftAt),
    )
    if (active.length > 1) return 'tenant_needed'
    if (active.length === 0) return null
    const [{ user }] = active
    const admission = await members.admit(user, identity)
    if (admission !== 'link_proof_needed') return admission === null ? null : { user, admission }
    const { issuer, subject } = identity
    return { link: { tenantId: user.tenant_id, userId: user.id, issuer, subject } }
  }

  /** Finds the users that the identity is linked to. */
  #linked(reach: Reach, { issuer, subject }: Identity): Promise<Candidate[]> {
    return store.candidatesByIdentity(this.#options.database.queries, reach, issuer, subject)
  }

  /** Opens a session or begins the second step. */
  async #open(
    { user, admission: { seconds } }: { user: UserRow; admission: Admission },
    identity: Identity,
    from: SignInFacts,
  ): Promise<ProviderSignIn | null> {
    const { database } = this.#options
    const { tenant_id: tenantId, id: userId } = user
    const tenant = await requireTenant(database.queries, tenantId)
    const check = async (tx: Tx) => ((await findIdentity(tx, tenantId, identity))?.user_id === userId ? [] : null)
    const { issuer, subject, claims } = identity
    const sid = typeof claims.sid === 'string' ? claims.sid : null
    const idToken = this.#options.sealIdToken(identity.idToken)
    const origin = {
      provider_issuer: issuer,
      provider_subject: subject,
      provider_sid: sid,
      provider_id_token: idToken,
    }
    const proof = { strength: 'provider', passwordChangedAt: null, from, seconds, origin } as const
    const outcome = await admit(database, { user, tenant }, proof, this.#now(), check)
    return outcome === null ? null : { kind: outcome.kind, secret: outcome.secret, seconds }
  }

  /** Counts a try, unless the address has none left. */
  #mayTry(address: string): boolean {
    const now = this.#now()
    if (this.#perAddress.waitMs(address, now) > 0) return false
    this.#perAddress.take(address, now)
    return true
  }
}
