import { createRemoteJWKSet, customFetch, errors, jwtVerify, type JWTPayload, type JWTVerifyGetKey } from 'jose'
import { isUnchecked } from '../../platform/contract/unchecked.ts'
import { hashSecret } from '../../platform/random-secret.ts'
import type { ProviderClient } from '../sessions/provider-client.ts'
import { fetchFromProvider } from '../sessions/provider-fetch.ts'
import type { ProviderEnd } from '../sessions/provider-end.ts'
import { ProviderTrouble } from '../sessions/provider-trouble.ts'

/** Signatures with the provider's private keys. HMAC is not among them, since the client's secret is enough for it. */
const ALGORITHMS = 'RS256 RS384 RS512 PS256 PS384 PS512 ES256 ES384 ES512 EdDSA Ed25519'.split(' ')
const EVENT = 'http://schemas.openid.net/event/backchannel-logout'
/** Greatest age of a token; the provider sends a token once, as soon as it is made. */
const AGE_SECONDS_MAX = 600
/** Greatest difference of the provider's clock. */
const CLOCK_TOLERANCE_SECONDS = 60
/** Longest wait for the key server, the same as for a provider's other answers at sign-in. */
const KEYS_TIMEOUT_MS = 5_000
/** Values of `typ`: explicit typing (section 2.4), and none or `jwt` for providers older than it. */
const TYPES: ReadonlySet<unknown> = new Set([undefined, 'logout+jwt', 'application/logout+jwt', 'jwt'])

/** Content of a logout token. */
export interface Logout extends ProviderEnd {
  /** Identifies the token among all tokens of the provider. */
  readonly hash: string
  /** Milliseconds since 1970 from which on the token is refused. */
  readonly expiresAt: number
}

/** A token is not a logout token for this service. The message says why, and contains nothing of the token. */
export class BadLogoutToken extends Error {
  override readonly name = 'BadLogoutToken'
}

/** Reads logout tokens of the outside provider (OpenID Connect Back-Channel Logout 1.0, sections 2.4 and 2.6). */
export class LogoutTokens {
  readonly #client: Pick<ProviderClient, 'signer'>
  readonly #clientId: string
  readonly #now: () => number
  #keys: { readonly uri: string; readonly getKey: JWTVerifyGetKey } | null = null

  constructor(client: Pick<ProviderClient, 'signer'>, clientId: string, now: () => number) {
    this.#client = client
    this.#clientId = clientId
    this.#now = now
  }

  /**
   * Checks a token. Whether the token was used before is for the caller to check.
   * @throws BadLogoutToken; ProviderTrouble when the provider does not tell its keys
   */
  async read(token: string): Promise<Logout> {
    const { issuer, keysUri } = await this.#client.signer()
    const { payload, protectedHeader } = await jwtVerify(token, this.#keysAt(keysUri), {
      issuer,
      audience: this.#clientId,
      algorithms: ALGORITHMS,
      requiredClaims: ['iat', 'exp', 'jti', 'events'],
      maxTokenAge: AGE_SECONDS_MAX,
      clockTolerance: CLOCK_TOLERANCE_SECONDS,
      currentDate: new Date(this.#now()),
    }).catch((error: unknown) => {
      // The words of jose name claims and headers, never their values.
      throw error instanceof errors.JOSEError ? new BadLogoutToken(error.message.replaceAll('"', '')) : error
    })
    if (!TYPES.has(protectedHeader.typ?.toLowerCase())) throw new BadLogoutToken('typ is of another kind of token')
    return logoutOf(payload, issuer)
  }

  #keysAt(uri: string): JWTVerifyGetKey {
    if (this.#keys?.uri === uri) return this.#keys.getKey
    const keys = createRemoteJWKSet(new URL(uri), {
      timeoutDuration: KEYS_TIMEOUT_MS,
      [customFetch]: fetchFromProvider,
    })
    const getKey: JWTVerifyGetKey = async (header, token) => {
      try {
        return await keys(header, token)
      } catch (cause) {
        if (isFaultOfToken(cause)) throw cause
        throw new ProviderTrouble('The provider does not tell its keys', { cause })
      }
    }
    this.#keys = { uri, getKey }
    return getKey
  }
}

/** Tells whether a key is missing because of the header of the token, and not because of the provider. */
function isFaultOfToken(error: unknown): boolean {
  return (
    error instanceof errors.JWKSNoMatchingKey ||
    error instanceof errors.JWKSMultipleMatchingKeys ||
    error instanceof errors.JOSENotSupported
  )
}

function logoutOf(payload: JWTPayload, issuer: string): Logout {
  const { sub, sid, jti, events, nonce, exp, iat } = payload
  if (!isUnchecked(events) || !isUnchecked(events[EVENT])) throw new BadLogoutToken('events does not name a logout')
  // A token with a nonce is an ID token, which many clients may have.
  if (nonce !== undefined) throw new BadLogoutToken('nonce is not allowed')
  if (!isText(jti)) throw new BadLogoutToken('jti is no text')
  if (![sub, sid].every((claim) => claim === undefined || isText(claim)) || (sub === undefined && sid === undefined))
    throw new BadLogoutToken('sub or sid is missing, or no text')
  const seconds = Math.min(exp!, iat! + AGE_SECONDS_MAX) + CLOCK_TOLERANCE_SECONDS
  return {
    issuer,
    subject: sub ?? null,
    sid: (sid as string | undefined) ?? null,
    hash: hashSecret(JSON.stringify([issuer, jti])),
    expiresAt: Math.ceil(seconds + 1) * 1_000,
  }
}

function isText(value: unknown): value is string {
  return typeof value === 'string' && value !== ''
}
