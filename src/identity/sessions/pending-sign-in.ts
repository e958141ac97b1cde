import type { SecretBox } from '../../platform/secrets.ts'
import type { PendingSignIn } from './provider-client.ts'
import { SealedCookie } from './sealed-cookie.ts'

/** Lifetime of a pending sign-in: long enough to look for a password; providers themselves allow no more. */
const SECONDS = 600

/** Keeps pending sign-ins in cookies, sealed so that the browser can neither read nor change them. */
export class PendingSignIns {
  readonly #cookie: SealedCookie<PendingSignIn>

  constructor(secrets: SecretBox, now: () => number) {
    const options = { name: 'ks_sign_in', purpose: 'sign-in at a provider', seconds: SECONDS }
    this.#cookie = new SealedCookie(secrets, now, options)
  }

  /** Returns the Set-Cookie header that stores a pending sign-in. */
  keep(pending: PendingSignIn, secure: boolean): string {
    return this.#cookie.write(pending, secure)
  }

  /** Returns the pending sign-in of a Cookie header; null when it is missing, expired or sealed with another key. */
  read(header: string | undefined, secure: boolean): PendingSignIn | null {
    return this.#cookie.read(header, secure)
  }

  /** Returns the Set-Cookie header that removes a pending sign-in, which may be used once. */
  forget(secure: boolean): string {
    return this.#cookie.remove(secure)
  }
}
