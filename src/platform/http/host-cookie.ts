/** Separator between two cookies in a header (RFC 6265, section 4.2.1). */
const BETWEEN = '; '

/**
 * A cookie for this host that scripts cannot read. It is `SameSite=Lax`: links from other sites and redirects back from
 * other services send it along.
 */
export class HostCookie {
  readonly #name: string

  constructor(name: string) {
    this.#name = name
  }

  /**
   * Returns the cookie's name. The name used over TLS cannot be set by neighbouring hosts (RFC 6265bis, section
   * 4.1.3.2).
   */
  nameOf(secure: boolean): string {
    return secure ? `__Host-${this.#name}` : this.#name
  }

  /** Returns the cookie's value in a Cookie header; null when it is missing. */
  read(header: string | undefined, secure: boolean): string | null {
    if (header === undefined) return null
    const start = `${this.nameOf(secure)}=`
    // No list of the cookies is made: one header may have thousands.
    const before = header.startsWith(start) ? 0 : header.indexOf(`${BETWEEN}${start}`)
    if (before < 0) return null
    const from = header.indexOf(start, before) + start.length
    const end = header.indexOf(BETWEEN, from)
    return header.slice(from, end < 0 ? undefined : end)
  }

  /** Returns the Set-Cookie header that stores a value for some seconds; 0 seconds delete the cookie. */
  write(value: string, secure: boolean, seconds: number): string {
    const ending = secure ? '; Secure' : ''
    return `${this.nameOf(secure)}=${value}; Path=/; HttpOnly; SameSite=Lax; Max-Age=${seconds}${ending}`
  }
}
