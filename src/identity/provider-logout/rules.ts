import type { Database, Queries } from '../../platform/database/database.ts'
import { TokenBuckets } from '../../platform/throttling/token-buckets.ts'
import { OAuthRefusal } from '../oauth/protocol/refusal.ts'
import { endSessionsFrom } from '../sessions/provider-end.ts'
import { ProviderTrouble } from '../sessions/provider-trouble.ts'
import { BadLogoutToken, type Logout, type LogoutTokens } from './logout-token.ts'
import * as store from './store.ts'

/** Path to which the provider sends logout tokens. */
export const PROVIDER_LOGOUT = '/sign-in/provider/logout'
/** Refused tokens of a client address. Valid ones do not count: the provider may end thousands of sessions at once. */
const REFUSED_PER_ADDRESS = { capacity: 60, intervalMs: 3_000 }
const REFUSAL = { loc: [], msg: 'Too many refused logout tokens; try again later' }

type Tokens = Pick<LogoutTokens, 'read'>

interface ProviderLogoutOptions {
  readonly database: Database
  /** Null when no provider is set up. */
  readonly tokens: Tokens | null
  readonly onError: (error: unknown) => void
  readonly now?: () => number
}

/**
 * Ends sessions when the outside provider says so. The whole service has one provider, so a logout ends the sessions
 * of the account in every tenant. Grants of applications stay.
 */
export class ProviderLogoutRules {
  readonly #options: ProviderLogoutOptions
  readonly #now: () => number
  readonly #refused = new TokenBuckets(REFUSED_PER_ADDRESS.capacity, REFUSED_PER_ADDRESS.intervalMs)

  constructor(options: ProviderLogoutOptions) {
    this.#options = options
    this.#now = options.now ?? Date.now
  }

  /**
   * Ends the sessions that a logout token names.
   * @param address of the sender, as `clientAddress` returns it
   * @throws OAuthRefusal when the token is not valid, or the provider does not tell its keys; Fault rate_limited after
   *   many such tokens
   */
  async end(token: string, address: string): Promise<void> {
    const { tokens } = this.#options
    if (tokens === null) throw invalidRequest('There is no provider to sign in at')
    // The try counts before its result is clear, so that many tries at once count too.
    this.#refused.takeOrRefuse(address, this.#now(), REFUSAL)
    let isRefused = false
    try {
      await this.#endBy(await this.#read(tokens, token))
    } catch (error) {
      isRefused = error instanceof OAuthRefusal
      throw error
    } finally {
      if (!isRefused) this.#refused.giveBack(address, this.#now())
    }
  }

  async #read(tokens: Tokens, token: string): Promise<Logout> {
    return tokens.read(token).catch((error: unknown) => {
      if (error instanceof BadLogoutToken) throw invalidRequest(error.message)
      if (!(error instanceof ProviderTrouble)) throw error
      this.#options.onError(error)
      throw new OAuthRefusal(400, 'temporarily_unavailable', 'The provider does not say what it signs with')
    })
  }

  async #endBy(logout: Logout): Promise<void> {
    const isFirst = await this.#options.database.write(async (tx) => {
      if (!(await store.useToken(tx, logout.hash, logout.expiresAt))) return false
      await endSessionsFrom(tx, logout, this.#now())
      return true
    })
    if (!isFirst) throw invalidRequest('The token was used before')
  }
}

/**
 * Deletes the notes of used logout tokens that would be refused by now anyway.
 * @param now milliseconds since 1970
 */
export function forgetEndedTokens(tx: Queries, now: number): Promise<void> {
  return store.purgeTokens(tx, now)
}

function invalidRequest(why: string): OAuthRefusal {
  return new OAuthRefusal(400, 'invalid_request', why)
}
