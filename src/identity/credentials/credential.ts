import { hashSecret } from '../../platform/random-secret.ts'
import { isApiKey } from '../api-keys/api-key.ts'
import { readSessionCookie } from './session-cookie.ts'

/** Kind of credential: an API key, an access token of the OAuth server, or the session of a person in a browser. */
export type CredentialKind = 'key' | 'token' | 'session'

export interface Credential {
  readonly kind: CredentialKind
  /** SHA-256, hexadecimal, as it is stored. No slow hash is needed: credentials are random and cannot be guessed. */
  readonly hash: string
}

/** Form of the opaque tokens of the OAuth server: 256 bits in base64url. */
const ACCESS_TOKEN = /^[\w-]{43}$/

/**
 * Returns the credential of a request. A session counts only when no other credential was sent.
 * @returns null when the request has no credential of a known form
 */
export function credentialOf(
  authorization: string | undefined,
  cookies: string | undefined,
  hasSecureCookies: () => boolean,
): Credential | null {
  if (authorization === undefined) {
    const session = readSessionCookie(cookies, hasSecureCookies())
    return session === null ? null : { kind: 'session', hash: hashSecret(session) }
  }
  const token = /^bearer +(\S+)$/i.exec(authorization)?.[1]
  if (token === undefined) return null
  if (isApiKey(token)) return { kind: 'key', hash: hashSecret(token) }
  return ACCESS_TOKEN.test(token) ? { kind: 'token', hash: hashSecret(token) } : null
}
