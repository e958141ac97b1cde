import { createHash } from 'node:crypto'
import { HostCookie } from '../../platform/http/host-cookie.ts'
import { newSecret } from '../../platform/random-secret.ts'
import type { SecretBox } from '../../platform/secrets.ts'
import { lowerEmail } from '../users/email.ts'

const PURPOSE = 'browser in which a person signed in'
const COOKIE = new HostCookie('ks_device')
/** Lifetime of the cookie, from the last sign-in. */
const SECONDS = 180 * 86_400
/** Most accounts that one browser is known for, such as that of a shared computer; the latest ones stay. */
const ACCOUNTS_MAX = 10

/** A browser in which people have signed in. */
export interface KnownDevice {
  /** Random name of the browser, by which its wrong guesses are counted. */
  readonly id: string
  /** SHA-256 of the email addresses that signed in here, the latest last. */
  readonly accounts: readonly string[]
}

interface CookieContent extends KnownDevice {
  /** When the cookie expires, in milliseconds since 1970. */
  readonly until: number
}

/**
 * Tells the browsers of an account's owner from those of strangers, by a cookie that each successful sign-in sets. With
 * it wrong guesses by strangers are bounded for an account as a whole, and do not lock its owner out: the device cookies
 * of OWASP ("Slow Down Online Guessing Attacks with Device Cookies"), here for several accounts of a browser. The cookie
 * is no credential. Whoever steals it may guess as often as its owner may. It is sealed, so that nobody makes one, and
 * names nobody to whoever reads it.
 */
export class KnownDevices {
  readonly #secrets: SecretBox
  readonly #now: () => number

  constructor(secrets: SecretBox, now: () => number = Date.now) {
    this.#secrets = secrets
    this.#now = now
  }

  /** Returns the browser that a Cookie header names; null without a valid cookie. */
  read(header: string | undefined, secure: boolean): KnownDevice | null {
    const value = COOKIE.read(header, secure)
    const text = value === null ? null : this.#secrets.open(PURPOSE, value)
    if (text === null) return null
    const { until, ...device } = JSON.parse(text) as CookieContent
    return until > this.#now() ? device : null
  }

  /** Returns the Set-Cookie header after a sign-in. @param header the Cookie header of the request */
  remember(header: string | undefined, secure: boolean, email: string): string {
    const { id, accounts } = this.read(header, secure) ?? { id: newSecret(), accounts: [] }
    const account = nameOf(email)
    const others = accounts.filter((each) => each !== account)
    const content: CookieContent = {
      id,
      accounts: [...others, account].slice(-ACCOUNTS_MAX),
      until: this.#now() + SECONDS * 1_000,
    }
    return COOKIE.write(this.#secrets.seal(PURPOSE, JSON.stringify(content)), secure, SECONDS)
  }
}

/** Tells whether somebody with this email address has signed in in the browser. */
export function isKnownTo({ accounts }: KnownDevice, email: string): boolean {
  return accounts.includes(nameOf(email))
}

const nameOf = (email: string): string => createHash('sha256').update(lowerEmail(email)).digest('base64url')
