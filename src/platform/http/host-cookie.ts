/** What stands between two cookies of a header (RFC 6265, section 4.2.1). */
const BETWEEN = '; '

/**
 * A cookie that scripts cannot read and that is sent to this host alone. It is lax: a link from elsewhere, or another
 * service that sends the browser back, brings it along.
 */
export class HostCookie {
  readonly #name: string

  constructor(name: string) {
    this.#name = name
  }

  /** Its name; over TLS one that no neighbouring host can set (RFC 6265bis, section 4.1.3.2). */
  nameOf(secure: boolean): string {
    return secure ? `__Host-${this.#name}` : this.#name
  }

  /** Its value in a Cookie header; null when it is missing. */
  read(header: string | undefined, secure: boolean): string | null {
    if (header === undefined) return null
    const start = `${this.nameOf(secure)}=`
    // No list of the cookies: there may be thousands in one header.
    const before = header.startsWith(start) ? 0 : header.indexOf(`${BETWEEN}${start}`)
    if (before < 0) return null
    const from = header.indexOf(start, before) + start.length
    const end = header.indexOf(BETWEEN, from)
    return header.slice(from, end < 0 ? undefined : end)
  }

  /** The Set-Cookie header that gives a browser this value, for so many seconds; 0 takes the cookie away. */
  write(value: string, secure: boolean, seconds: number): string {
    const ending = secure ? '; Secure' : ''
    return `${this.nameOf(secure)}=${value}; Path=/; HttpOnly; SameSite=Lax; Max-Age=${seconds}${ending}`
  }
}
