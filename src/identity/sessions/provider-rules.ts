import type { Database, Tx } from '../../platform/database/database.ts'
import type { UserRow } from '../../platform/database/tables.ts'
import { realmOf } from '../tenants/realm.ts'
import { requireTenant } from '../tenants/rules.ts'
import { TokenBuckets } from '../../platform/throttling/token-buckets.ts'
import { findIdentity } from './identity-store.ts'
import type { Identity, PendingSignIn, ProviderClient } from './provider-client.ts'
import { ProviderTrouble } from './provider-trouble.ts'
import type { Reach } from './reach.ts'
import type { SessionRules, SignInFacts } from './rules.ts'
import { admit } from './session-opener.ts'
import type { Candidate } from './store.ts'
import * as store from './store.ts'

/** Where the provider sends browsers back to. */
export const CALLBACK = '/sign-in/provider/callback'
/** Limit for one client address, because each sign-in costs requests to the provider. */
const PER_ADDRESS = { capacity: 60, intervalMs: 3_000 }

/** Why a sign-in failed; the sign-in page explains it. */
export type ProviderFault = 'provider_failed' | 'provider_unknown_user' | 'tenant_needed'

/** What a person who may sign in gets. */
export interface Admission {
  /** How long the session lasts. */
  readonly seconds: number
}

/** Decides by a tenant's rules what people of the provider are in it (`identity/sign-in-rules/members.ts`). */
export interface ProviderMembers {
  /** @returns null when the user may not sign in */
  admit(user: UserRow, identity: Identity): Promise<Admission | null>
  /** @returns the user that the person has become; null when no tenant takes them */
  join(
    reach: Reach,
    identity: Identity,
    email: string,
  ): Promise<{ user: UserRow; admission: Admission } | 'tenant_needed' | null>
}

/** A new session or a second step, and the secret that its browser keeps. */
interface ProviderSignIn extends Admission {
  readonly kind: 'session' | 'step'
  readonly secret: string
}

export interface ProviderRulesOptions {
  readonly database: Database
  readonly members: ProviderMembers
  readonly client: ProviderClient
  readonly sessions: SessionRules
  readonly publicUrl: () => string
  readonly onError: (error: unknown) => void
  readonly now?: () => number
}

/** Sign-in at an outside OpenID provider. The provider identifies people; what they may be, a tenant's rules say. */
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
   * @returns where to send the browser and what it has to keep; a fault when the provider does not answer
   */
  async begin(
    { host, address }: SignInFacts,
    wish: Pick<PendingSignIn, 'returnTo' | 'tenant'>,
  ): Promise<{ location: string; pending: PendingSignIn } | ProviderFault> {
    this.#count(address)
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
   * @returns the secret of the session, with its length, or of the second step; else why the sign-in failed
   */
  async finish(facts: SignInFacts, query: string, pending: PendingSignIn): Promise<ProviderSignIn | ProviderFault> {
    const { host, address } = facts
    this.#count(address)
    const { client, sessions, onError } = this.#options
    const failed = (error: unknown) => {
      onError(error)
      return null
    }
    const identity = await client.identity(query, pending).catch(failed)
    if (identity === null) return 'provider_failed'
    const reach = await sessions.reach(host, pending.tenant)
    let candidates = await this.#linked(reach, identity)
    let email: string | null = null
    if (candidates.length === 0) {
      const vouched = await identity.verifiedEmail().then((address) => ({ address }), failed)
      if (vouched === null) return 'provider_failed'
      email = vouched.address
      candidates = email === null ? [] : await store.candidatesByEmail(this.#options.database.queries, reach, email)
    }
    const admitted = await this.#admit(reach, identity, candidates, email).catch((error: unknown) => {
      if (!(error instanceof ProviderTrouble)) throw error
      onError(error)
      return 'provider_failed' as const
    })
    if (typeof admitted === 'string') return admitted
    const opened = admitted === null ? null : await this.#open(admitted, identity, facts)
    if (opened !== null) return opened
    sessions.auditRefusals(candidates)
    return 'provider_unknown_user'
  }

  /**
   * The user that the person is in the tenant, as its rules have it.
   * @param email that the provider has verified, of a person who is linked to nobody; else null
   * @returns null when they may not sign in
   */
  async #admit(
    reach: Reach,
    identity: Identity,
    candidates: readonly Candidate[],
    email: string | null,
  ): Promise<{ user: UserRow; admission: Admission } | ProviderFault | null> {
    const { members } = this.#options
    if (candidates.length === 0) return email === null ? null : members.join(reach, identity, email)
    // A suspended tenant stays as it is. Whom their groups disabled may be in one again.
    const active = candidates.filter(
      ({ user, tenant, leftAt = null }) =>
        tenant.suspended_at === null && (user.disabled_at === null || user.disabled_at === leftAt),
    )
    if (active.length > 1) return 'tenant_needed'
    if (active.length === 0) return null
    const [{ user }] = active
    const admission = await members.admit(user, identity)
    return admission === null ? null : { user, admission }
  }

  /** Users linked to the identity. */
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
    const origin = { provider_issuer: issuer, provider_subject: subject, provider_sid: sid }
    const proved = { strength: 'provider', passwordChangedAt: null, from, seconds, origin } as const
    const admitted = await admit(database, { user, tenant }, proved, this.#now(), check)
    return admitted === null ? null : { kind: admitted.kind, secret: admitted.secret, seconds }
  }

  #count(address: string): void {
    this.#perAddress.takeOrRefuse(address, this.#now(), { loc: [], msg: 'Too many sign-ins, try again later' })
  }
}
