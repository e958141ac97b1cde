import { HostCookie } from '../../platform/http/host-cookie.ts'
import type { SecretBox } from '../../platform/secrets.ts'
import type { PendingSignIn } from './provider-client.ts'

const PURPOSE = 'sign-in at a provider'
const COOKIE = new HostCookie('ks_sign_in')
/** For whoever looks for their password; providers themselves give no more. */
const SECONDS = 600

interface Sealed extends PendingSignIn {
  readonly until: number
}

/** Cookies that hold a pending sign-in, sealed: a browser keeps it and can neither read nor change it. */
export class PendingSignIns {
  readonly #secrets: SecretBox
  readonly #now: () => number

  constructor(secrets: SecretBox, now: () => number) {
    this.#secrets = secrets
    this.#now = now
  }

  /** The Set-Cookie header that keeps it. */
  keep(pending: PendingSignIn, secure: boolean): string {
    const sealed: Sealed = { ...pending, until: this.#now() + SECONDS * 1_000 }
    return COOKIE.write(this.#secrets.seal(PURPOSE, JSON.stringify(sealed)), secure, SECONDS)
  }

  /** What a Cookie header holds; null when it is missing, too old or not ours. */
  read(header: string | undefined, secure: boolean): PendingSignIn | null {
    const value = COOKIE.read(header, secure)
    const text = value === null ? null : this.#secrets.open(PURPOSE, value)
    if (text === null) return null
    const { until, ...pending } = JSON.parse(text) as Sealed
    return until > this.#now() ? pending : null
  }

  /** The Set-Cookie header that takes it away: it is good once. */
  forget(secure: boolean): string {
    return COOKIE.write('', secure, 0)
  }
}
