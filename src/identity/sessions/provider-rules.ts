import type { Database } from '../../platform/database/database.ts'
import { realmOf } from '../tenants/realm.ts'
import { TokenBuckets } from '../../platform/throttling/token-buckets.ts'
import type { Identity, PendingSignIn, ProviderClient } from './provider-client.ts'
import type { SessionRules, SignInFacts } from './rules.ts'
import { admit } from './session-opener.ts'
import type { Candidate, Reach } from './store.ts'
import * as store from './store.ts'

const CALLBACK = '/sign-in/provider/callback'
/** Limit for one client address, because each sign-in costs requests to the provider. */
const PER_ADDRESS = { capacity: 60, intervalMs: 3_000 }

/** Why a sign-in failed; the sign-in page explains it. */
export type ProviderFault = 'provider_failed' | 'provider_unknown_user' | 'tenant_needed'

export interface ProviderRulesOptions {
  readonly database: Database
  readonly client: ProviderClient
  readonly sessions: SessionRules
  readonly publicUrl: () => string
  readonly onError: (error: unknown) => void
  readonly now?: () => number
}

/** Sign-in at an outside OpenID provider. The provider only identifies people; it never creates users. */
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
   * @returns the secret of the session or of the second step, or why the sign-in failed
   */
  async finish(
    { host, address }: SignInFacts,
    query: string,
    pending: PendingSignIn,
  ): Promise<{ kind: 'session' | 'step'; secret: string } | ProviderFault> {
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
    if (candidates === null) {
      const vouched = await identity.verifiedEmail().then((email) => ({ email }), failed)
      if (vouched === null) return 'provider_failed'
      candidates = await this.#known(reach, vouched.email)
    }
    const active = candidates.filter(({ user }) => user.disabled_at === null)
    if (active.length > 1) return 'tenant_needed'
    const admitted = active.length === 1 ? await this.#admit(active[0], identity) : null
    if (admitted !== null) return admitted
    sessions.auditRefusals(candidates)
    return 'provider_unknown_user'
  }

  /** Users linked to the identity; null when nobody is. */
  async #linked(reach: Reach, { issuer, subject }: Identity): Promise<Candidate[] | null> {
    const linked = await store.candidatesByIdentity(this.#options.database.queries, reach, issuer, subject)
    return linked.length > 0 ? linked : null
  }

  /** Users with the email address that the provider has verified. */
  async #known(reach: Reach, email: string | null): Promise<Candidate[]> {
    return email === null ? [] : store.candidatesByEmail(this.#options.database.queries, reach, email)
  }

  /** Opens a session or begins the second step, and links the user to the identity at the first sign-in. */
  #admit(candidate: Candidate, { issuer, subject }: Identity): ReturnType<typeof admit> {
    const now = this.#now()
    const { tenant_id: tenantId, id: userId } = candidate.user
    const proved = { strength: 'provider', passwordChangedAt: null } as const
    return admit(this.#options.database, candidate, proved, now, async (tx) => {
      const known = await store.subjectsOf(tx, tenantId, userId, issuer)
      if (known.includes(subject)) return []
      // At the provider the email address now belongs to another person, who is not our user.
      if (known.length > 0) return null
      await store.insertIdentity(tx, { tenant_id: tenantId, issuer, subject, user_id: userId, created_at: now })
      return [{ action: 'link', resourceType: 'user', resourceId: userId }]
    })
  }

  #count(address: string): void {
    this.#perAddress.takeOrRefuse(address, this.#now(), { loc: [], msg: 'Too many sign-ins, try again later' })
  }
}
