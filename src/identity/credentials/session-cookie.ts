import { HostCookie } from '../../platform/http/host-cookie.ts'

const COOKIE = new HostCookie('ks_session')
/** Form of a session's secret: 32 random bytes in base64url. */
const VALUE = /^[\w-]{43}$/

/** Returns the session's secret in a Cookie header; null when the header has none of the right form. */
export function readSessionCookie(header: string | undefined, secure: boolean): string | null {
  const value = COOKIE.read(header, secure)
  return value !== null && VALUE.test(value) ? value : null
}

/** Writes the Set-Cookie header of a session. @param seconds until the browser forgets it; 0 removes it at once */
export function sessionCookie(value: string, secure: boolean, seconds: number): string {
  return COOKIE.write(value, secure, seconds)
}
