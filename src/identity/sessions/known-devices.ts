import { newSecret } from '../../platform/random-secret.ts'
import type { SecretBox } from '../../platform/secrets.ts'
import { type Account, accountName, type KnownDevice } from './known-device.ts'
import { SealedCookie } from './sealed-cookie.ts'

const PURPOSE = 'browser in which a person signed in'
/** Lifetime of the cookie, from the last sign-in. */
export const KNOWN_DEVICE_DAYS = 180
const SECONDS = KNOWN_DEVICE_DAYS * 86_400
/** Most accounts that one browser is known for, such as that of a shared computer; the latest ones stay. */
const ACCOUNTS_MAX = 10

/**
 * Tells the browsers of an account's owner from those of strangers, by a cookie that each successful sign-in sets. With
 * it wrong guesses by strangers are bounded for an account as a whole, and do not lock its owner out: the device cookies
 * of OWASP ("Slow Down Online Guessing Attacks with Device Cookies"), here for several accounts of a browser. The cookie
 * is no credential: a thief may only guess as often as the owner may. It is sealed, so that strangers can neither forge
 * one nor read which accounts it names.
 */
export class KnownDevices {
  readonly #cookie: SealedCookie<KnownDevice>

  constructor(secrets: SecretBox, now: () => number = Date.now) {
    this.#cookie = new SealedCookie(secrets, now, { name: 'ks_device', purpose: PURPOSE, seconds: SECONDS })
  }

  /** Returns the browser that a Cookie header names; null without a valid cookie. */
  read(header: string | undefined, secure: boolean): KnownDevice | null {
    return this.#cookie.read(header, secure)
  }

  /** Returns the Set-Cookie header after a sign-in. @param header the Cookie header of the request */
  remember(header: string | undefined, secure: boolean, signedIn: Account): string {
    const { id, accounts } = this.read(header, secure) ?? { id: newSecret(), accounts: [] }
    const account = accountName(signedIn)
    const others = accounts.filter((each) => each !== account)
    return this.#cookie.write({ id, accounts: [...others, account].slice(-ACCOUNTS_MAX) }, secure)
  }
}
