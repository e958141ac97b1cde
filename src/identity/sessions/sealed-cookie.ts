import { HostCookie } from '../../platform/http/host-cookie.ts'
import type { SecretBox } from '../../platform/secrets.ts'

interface SealedCookieOptions {
  readonly name: string
  /** Purpose that the content is sealed for, so that no other sealed text passes for it. */
  readonly purpose: string
  /** Lifetime. */
  readonly seconds: number
}

/** Keeps content in a cookie, sealed so that the browser can neither read nor change it, until its time is over. */
export class SealedCookie<T extends object> {
  readonly #cookie: HostCookie
  readonly #options: SealedCookieOptions
  readonly #secrets: SecretBox
  readonly #now: () => number

  constructor(secrets: SecretBox, now: () => number, options: SealedCookieOptions) {
    this.#cookie = new HostCookie(options.name)
    this.#options = options
    this.#secrets = secrets
    this.#now = now
  }

  /** Returns the Set-Cookie header that stores the content. */
  write(content: T, secure: boolean): string {
    const { purpose, seconds } = this.#options
    const text = JSON.stringify({ ...content, until: this.#now() + seconds * 1_000 })
    return this.#cookie.write(this.#secrets.seal(purpose, text), secure, seconds)
  }

  /** Returns the content of a Cookie header; null when it is missing, expired or sealed with another key. */
  read(header: string | undefined, secure: boolean): T | null {
    const value = this.#cookie.read(header, secure)
    const text = value === null ? null : this.#secrets.open(this.#options.purpose, value)
    if (text === null) return null
    const { until, ...content } = JSON.parse(text) as T & { until: number }
    return until > this.#now() ? (content as unknown as T) : null
  }

  /** Returns the Set-Cookie header that removes the cookie. */
  remove(secure: boolean): string {
    return this.#cookie.write('', secure, 0)
  }
}
