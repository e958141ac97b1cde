import { HostCookie } from '../../platform/http/host-cookie.ts'
import type { SecretBox } from '../../platform/secrets.ts'
import type { PendingSignIn } from './provider-client.ts'

const PURPOSE = 'sign-in at a provider'
const COOKIE = new HostCookie('ks_sign_in')
/** Lifetime of a pending sign-in: long enough to look for a password; providers themselves allow no more. */
const SECONDS = 600

interface CookieContent extends PendingSignIn {
  /** When the sign-in expires, in milliseconds since 1970. */
  readonly until: number
}

/** Keeps pending sign-ins in cookies, sealed so that the browser can neither read nor change them. */
export class PendingSignIns {
  readonly #secrets: SecretBox
  readonly #now: () => number

  constructor(secrets: SecretBox, now: () => number) {
    this.#secrets = secrets
    this.#now = now
  }

  /** Returns the Set-Cookie header that stores a pending sign-in. */
  keep(pending: PendingSignIn, secure: boolean): string {
    const content: CookieContent = { ...pending, until: this.#now() + SECONDS * 1_000 }
    return COOKIE.write(this.#secrets.seal(PURPOSE, JSON.stringify(content)), secure, SECONDS)
  }

  /** Returns the pending sign-in of a Cookie header; null when it is missing, expired or sealed with another key. */
  read(header: string | undefined, secure: boolean): PendingSignIn | null {
    const value = COOKIE.read(header, secure)
    const text = value === null ? null : this.#secrets.open(PURPOSE, value)
    if (text === null) return null
    const { until, ...pending } = JSON.parse(text) as CookieContent
    return until > this.#now() ? pending : null
  }

  /** Returns the Set-Cookie header that removes a pending sign-in, which may be used once. */
  forget(secure: boolean): string {
    return COOKIE.write('', secure, 0)
  }
}
