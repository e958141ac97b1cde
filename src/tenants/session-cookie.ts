const NAME = 'ks_session'
/** Base64url of 32 random bytes. */
const VALUE = /^[\w-]{43}$/

/** The cookie's name; over TLS one that no neighbouring host can set (RFC 6265bis, section 4.1.3.2). */
export function sessionCookieName(secure: boolean): string {
  return secure ? `__Host-${NAME}` : NAME
}

/** The session's secret in a Cookie header; null when there is none of the right form. */
export function readSessionCookie(header: string | undefined, secure: boolean): string | null {
  if (header === undefined) return null
  const start = `${sessionCookieName(secure)}=`
  const found = header.split('; ').find((cookie) => cookie.startsWith(start))
  const value = found?.slice(start.length)
  return value !== undefined && VALUE.test(value) ? value : null
}

/** The Set-Cookie header that gives a browser its session, until it is closed or for this long. */
export function sessionCookie(value: string, secure: boolean, seconds: number): string {
  const name = sessionCookieName(secure)
  return `${name}=${value}; Path=/; HttpOnly; SameSite=Lax; Max-Age=${seconds}${secure ? '; Secure' : ''}`
}
