import * as openid from 'openid-client'
import type { SignInProviderConfig } from '../../config/topics/sign-in.ts'
import { fetchFromProvider } from './provider-fetch.ts'
import { ProviderTrouble } from './provider-trouble.ts'

/** Timeout of a request to the provider. It is short, because a person waits. */
const TIMEOUT_SECONDS = 5
/** Time after which the provider's metadata is read again, because its addresses may change. */
const METADATA_FRESH_MS = 3_600_000
/** Time by which the provider's clock may be ahead. */
const CLOCK_TOLERANCE_SECONDS = 60
/** Time for which the last check counts, so that no caller makes the service ask the provider more often. */
const STATE_FRESH_MS = 10_000

/** Person as the provider identifies them. */
export interface Identity {
  readonly issuer: string
  readonly subject: string
  /** The ID token itself, by which the provider knows its session again. */
  readonly idToken: string
  /** Claims of the ID token about the person. */
  readonly claims: Readonly<Record<string, unknown>>
  /**
   * Returns the claims of the provider's userinfo endpoint; empty when the provider has none.
   * @throws ProviderTrouble when the provider does not answer
   */
  userInfo(): Promise<Readonly<Record<string, unknown>>>
  /**
   * Returns the email address that the provider has verified; null when it states none.
   * @throws ProviderTrouble when the provider does not answer
   */
  verifiedEmail(): Promise<string | null>
}

/** Sign-in that the outside provider finishes and that comes back in the same browser. */
export interface PendingSignIn {
  readonly state: string
  readonly nonce: string
  readonly verifier: string
  readonly redirectUri: string
  readonly returnTo: string
  readonly tenant: string | null
}

/** Result of the last check of the provider. */
export interface ProviderState {
  /** Whether the provider answered. */
  readonly answers: boolean
  /** Time of the check, in milliseconds since 1970. */
  readonly checkedAt: number
}

/**
 * Asks the outside OpenID provider to sign people in, by an authorization code with PKCE, state and nonce (OpenID
 * Connect Core 1.0, section 3.1).
 */
export class ProviderClient {
  readonly #config: SignInProviderConfig
  readonly #now: () => number
  /** Metadata of the provider, and when it was read in milliseconds since 1970; null before the first sign-in. */
  #metadata: { readonly at: number; readonly configuration: Promise<openid.Configuration> } | null = null
  /** Last check of the provider, and when it began in milliseconds since 1970; null before the first check. */
  #lastCheck: { readonly at: number; readonly state: Promise<ProviderState> } | null = null

  constructor(config: SignInProviderConfig, now: () => number) {
    this.#config = config
    this.#now = now
  }

  /**
   * Begins a sign-in.
   * @returns the address to send a browser to, and the secrets to keep until the browser comes back
   * @throws Error when the provider does not answer
   */
  async authorization(redirectUri: string): Promise<{
    readonly location: string
    readonly pending: Pick<PendingSignIn, 'state' | 'nonce' | 'verifier' | 'redirectUri'>
  }> {
    const configuration = await this.#configuration()
    const verifier = openid.randomPKCECodeVerifier()
    const pending = { state: openid.randomState(), nonce: openid.randomNonce(), verifier, redirectUri }
    const location = openid.buildAuthorizationUrl(configuration, {
      redirect_uri: redirectUri,
      scope: this.#config.scopes,
      state: pending.state,
      nonce: pending.nonce,
      code_challenge: await openid.calculatePKCECodeChallenge(verifier),
      code_challenge_method: 'S256',
    })
    return { location: location.href, pending }
  }

  /**
   * Returns the person whom the provider signed in.
   * @param query the query of the callback's address, with its question mark
   * @throws Error when the answer does not match the request, or the provider does not answer
   */
  async identity(query: string, pending: PendingSignIn): Promise<Identity> {
    const configuration = await this.#configuration()
    const tokens = await openid.authorizationCodeGrant(configuration, new URL(`${pending.redirectUri}${query}`), {
      expectedState: pending.state,
      expectedNonce: pending.nonce,
      pkceCodeVerifier: pending.verifier,
      idTokenExpected: true,
    })
    const claims = tokens.claims()!
    requireIssued(claims.iat, this.#now())
    let answer: Promise<Readonly<Record<string, unknown>>> | null = null
    const userInfo = () => {
      const hasEndpoint = configuration.serverMetadata().userinfo_endpoint !== undefined
      answer ??= hasEndpoint
        ? openid.fetchUserInfo(configuration, tokens.access_token, claims.sub).catch((cause: unknown) => {
            throw new ProviderTrouble('The provider does not tell more of a person', { cause })
          })
        : Promise.resolve<Readonly<Record<string, unknown>>>({})
      return answer
    }
    return {
      issuer: claims.iss,
      subject: claims.sub,
      idToken: tokens.id_token!,
      claims,
      userInfo,
      verifiedEmail: async () => verifiedEmailOf(claims.email !== undefined ? claims : await userInfo()),
    }
  }

  /**
   * Returns the issuer of the provider's tokens, and the address of the keys that sign them.
   * @throws ProviderTrouble when the provider does not answer, or names no keys that can be trusted
   */
  async signer(): Promise<{ readonly issuer: string; readonly keysUri: string }> {
    const configuration = await this.#configuration().catch((cause: unknown) => {
      throw new ProviderTrouble('The provider does not say what it signs with', { cause })
    })
    const { issuer, jwks_uri: keysUri = '' } = configuration.serverMetadata()
    const isPlain = this.#config.issuer.startsWith('http:')
    if (!keysUri.startsWith('https:') && !isPlain) throw new ProviderTrouble('The provider has no keys under https')
    return { issuer, keysUri }
  }

  /**
   * Returns the address at which a browser ends its session at the provider.
   * @param issuer of the session's ID token
   * @param idToken null when none is kept; the provider then asks the person
   * @returns null where the provider has no such address, is another one by now, or does not answer
   */
  async endSessionAddress(issuer: string, idToken: string | null): Promise<string | null> {
    const configuration = await this.#configuration().catch(() => null)
    const metadata = configuration?.serverMetadata()
    if (metadata?.issuer !== issuer || metadata.end_session_endpoint === undefined) return null
    // Without an address to come back to: the provider would refuse one that is not registered there.
    return openid.buildEndSessionUrl(configuration!, idToken === null ? {} : { id_token_hint: idToken }).href
  }

  /** Checks whether the provider answers, unless the last check is less than ten seconds old. */
  state(): Promise<ProviderState> {
    const at = this.#now()
    if (this.#lastCheck !== null && at - this.#lastCheck.at < STATE_FRESH_MS) return this.#lastCheck.state
    const state = this.#discover().then(
      () => ({ answers: true, checkedAt: at }),
      () => ({ answers: false, checkedAt: at }),
    )
    this.#lastCheck = { at, state }
    return state
  }

  #configuration(): Promise<openid.Configuration> {
    const last = this.#metadata
    if (last !== null && this.#now() - last.at < METADATA_FRESH_MS) return last.configuration
    const configuration = this.#discover()
    const metadata = { at: this.#now(), configuration }
    this.#metadata = metadata
    configuration.catch(() => {
      // A failure is not kept, so that the next sign-in asks the provider again.
      if (this.#metadata === metadata) this.#metadata = null
    })
    return configuration
  }

  #discover(): Promise<openid.Configuration> {
    const { issuer, clientId, clientSecret } = this.#config
    const isPlain = issuer.startsWith('http:')
    return openid.discovery(new URL(issuer), clientId, undefined, authentication(clientSecret), {
      timeout: TIMEOUT_SECONDS,
      [openid.customFetch]: fetchFromProvider,
      execute: [openid.enableNonRepudiationChecks, ...(isPlain ? [openid.allowInsecureRequests] : [])],
    })
  }
}

/**
 * Refuses an ID token that was issued in the future: it would outlast its time, or its provider's clock is wrong. The
 * library checks the time of its end alone.
 * @param iat seconds since 1970
 * @param now milliseconds since 1970
 * @throws Error
 */
function requireIssued(iat: number, now: number): void {
  if (iat > now / 1_000 + CLOCK_TOLERANCE_SECONDS) throw new Error('The ID token was issued in the future (iat)')
}

/**
 * Returns how the service authenticates at the provider. A provider that states no method supports Basic (OpenID
 * Connect Discovery 1.0, section 3).
 */
function authentication(secret: string): openid.ClientAuth {
  const basic = openid.ClientSecretBasic(secret)
  const post = openid.ClientSecretPost(secret)
  return (server, client, body, headers) => {
    const methods = server.token_endpoint_auth_methods_supported ?? ['client_secret_basic']
    return (methods.includes('client_secret_basic') ? basic : post)(server, client, body, headers)
  }
}

/** Returns the email address if it is verified, else null. Some providers write the flag as text. */
function verifiedEmailOf({ email, email_verified: flag }: Readonly<Record<string, unknown>>): string | null {
  return typeof email === 'string' && (flag === true || flag === 'true') ? email : null
}
