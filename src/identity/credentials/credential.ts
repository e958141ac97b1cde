import { hashSecret } from '../../platform/random-secret.ts'
import { isApiKey } from '../api-keys/api-key.ts'
import { readSessionCookie } from './session-cookie.ts'

/** The ways in: an API key, an access token of the OAuth server, the session of somebody signed in in a browser. */
export type CredentialKind = 'key' | 'token' | 'session'

export interface Credential {
  readonly kind: CredentialKind
  /** SHA-256, hexadecimal, as it is stored. Plain suffices: all of them are random, there is nothing to guess. */
  readonly hash: string
}

/** Opaque tokens as the OAuth server makes them: 256 bits in base64url. */
const ACCESS_TOKEN = /^[\w-]{43}$/

/**
 * The credential of a request. A session counts only where no other credential was sent.
 * @returns null when there is none that could be one
 */
export function credentialOf(
  authorization: string | undefined,
  cookies: string | undefined,
  secureCookies: boolean,
): Credential | null {
  if (authorization === undefined) {
    const session = readSessionCookie(cookies, secureCookies)
    return session === null ? null : { kind: 'session', hash: hashSecret(session) }
  }
  const token = /^bearer +(\S+)$/i.exec(authorization)?.[1]
  if (token === undefined) return null
  if (isApiKey(token)) return { kind: 'key', hash: hashSecret(token) }
  return ACCESS_TOKEN.test(token) ? { kind: 'token', hash: hashSecret(token) } : null
}
