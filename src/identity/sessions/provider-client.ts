import * as openid from 'openid-client'
import type { SignInProviderConfig } from '../../config/topics/sign-in.ts'
import { fetchFromProvider } from './provider-fetch.ts'
import { ProviderTrouble } from './provider-trouble.ts'

/** Timeout of a request to the provider. Short, because a person waits. */
const TIMEOUT_SECONDS = 5
/** The provider's metadata is read again after this time, because its addresses may change. */
const DESCRIPTION_FRESH_MS = 3_600_000
/** Whoever asks whether the provider answers gets the last finding for so long, however often they ask. */
const STATE_FRESH_MS = 10_000

/** A person as the provider knows them. */
export interface Identity {
  readonly issuer: string
  readonly subject: string
  /** What the ID token says of them. */
  readonly claims: Readonly<Record<string, unknown>>
  /**
   * What the provider says of them when it is asked; empty when it answers no such questions.
   * @throws ProviderTrouble when it does not answer
   */
  userInfo(): Promise<Readonly<Record<string, unknown>>>
  /** The email address that the provider has verified; null when it states none. */
  verifiedEmail(): Promise<string | null>
}

/** A sign-in that was sent to the outside provider and comes back in the same browser. */
export interface PendingSignIn {
  readonly state: string
  readonly nonce: string
  readonly verifier: string
  readonly redirectUri: string
  readonly returnTo: string
  readonly tenant: string | null
}

/** Whether the provider answers. */
export interface ProviderState {
  readonly answers: boolean
  /** When that was found, in milliseconds since 1970. */
  readonly checkedAt: number
}

/** The outside OpenID provider: authorization code with PKCE, state and nonce (OpenID Connect Core 1.0, section 3.1). */
export class ProviderClient {
  readonly #config: SignInProviderConfig
  readonly #now: () => number
  #described: { readonly at: number; readonly configuration: Promise<openid.Configuration> } | null = null
  #found: { readonly at: number; readonly state: Promise<ProviderState> } | null = null

  constructor(config: SignInProviderConfig, now: () => number) {
    this.#config = config
    this.#now = now
  }

  /** The address to send a browser to, and what to remember until the browser comes back. */
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
   * The person whom the provider signed in.
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
    let asked: Promise<Readonly<Record<string, unknown>>> | null = null
    const userInfo = () => {
      const hasMore = configuration.serverMetadata().userinfo_endpoint !== undefined
      asked ??= hasMore
        ? openid.fetchUserInfo(configuration, tokens.access_token, claims.sub).catch((cause: unknown) => {
            throw new ProviderTrouble('The provider does not tell more of a person', { cause })
          })
        : Promise.resolve<Readonly<Record<string, unknown>>>({})
      return asked
    }
    return {
      issuer: claims.iss,
      subject: claims.sub,
      claims,
      userInfo,
      verifiedEmail: async () => verified(claims.email !== undefined ? claims : await userInfo()),
    }
  }

  /**
   * What the provider signs with.
   * @throws ProviderTrouble when it does not answer, or names no keys that can be trusted
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

  /** Whether the provider answers. Asks it anew when the last finding is older than ten seconds. */
  state(): Promise<ProviderState> {
    const at = this.#now()
    if (this.#found !== null && at - this.#found.at < STATE_FRESH_MS) return this.#found.state
    const state = this.#discover().then(
      () => ({ answers: true, checkedAt: at }),
      () => ({ answers: false, checkedAt: at }),
    )
    this.#found = { at, state }
    return state
  }

  #configuration(): Promise<openid.Configuration> {
    const known = this.#described
    if (known !== null && this.#now() - known.at < DESCRIPTION_FRESH_MS) return known.configuration
    const configuration = this.#discover()
    const described = { at: this.#now(), configuration }
    this.#described = described
    configuration.catch(() => {
      // The next sign-in asks again.
      if (this.#described === described) this.#described = null
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

/** A provider that states no method supports Basic (OpenID Connect Discovery 1.0, section 3). */
function authentication(secret: string): openid.ClientAuth {
  const basic = openid.ClientSecretBasic(secret)
  const post = openid.ClientSecretPost(secret)
  return (server, client, body, headers) => {
    const methods = server.token_endpoint_auth_methods_supported ?? ['client_secret_basic']
    return (methods.includes('client_secret_basic') ? basic : post)(server, client, body, headers)
  }
}

/** The email address if it is verified. Some providers write the flag as text. */
function verified({ email, email_verified: flag }: Readonly<Record<string, unknown>>): string | null {
  return typeof email === 'string' && (flag === true || flag === 'true') ? email : null
}
