import { HostCookie } from '../../platform/http/host-cookie.ts'
import type { SecretBox } from '../../platform/secrets.ts'
import type { PendingSignIn } from './provider-client.ts'

const PURPOSE = 'sign-in at a provider'
const COOKIE = new HostCookie('ks_sign_in')
/** Long enough to look for a password; providers themselves allow no more. */
const SECONDS = 600

interface Sealed extends PendingSignIn {
  readonly until: number
}

/** Cookies that hold a pending sign-in, sealed so that the browser can neither read nor change it. */
export class PendingSignIns {
  readonly #secrets: SecretBox
  readonly #now: () => number

  constructor(secrets: SecretBox, now: () => number) {
    this.#secrets = secrets
    this.#now = now
  }

  /** The Set-Cookie header that stores a pending sign-in. */
  keep(pending: PendingSignIn, secure: boolean): string {
    const sealed: Sealed = { ...pending, until: this.#now() + SECONDS * 1_000 }
    return COOKIE.write(this.#secrets.seal(PURPOSE, JSON.stringify(sealed)), secure, SECONDS)
  }

  /** The pending sign-in of a Cookie header; null when it is missing, expired or not ours. */
  read(header: string | undefined, secure: boolean): PendingSignIn | null {
    const value = COOKIE.read(header, secure)
    const text = value === null ? null : this.#secrets.open(PURPOSE, value)
    if (text === null) return null
    const { until, ...pending } = JSON.parse(text) as Sealed
    return until > this.#now() ? pending : null
  }

  /** The Set-Cookie header that removes a pending sign-in, which may be used once. */
  forget(secure: boolean): string {
    return COOKIE.write('', secure, 0)
  }
}
