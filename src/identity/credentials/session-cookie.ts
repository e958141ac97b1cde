import { HostCookie } from '../../platform/http/host-cookie.ts'

const COOKIE = new HostCookie('ks_session')
/** Base64url of 32 random bytes. */
const VALUE = /^[\w-]{43}$/

/** The session's secret in a Cookie header; null when the header has none of the right form. */
export function readSessionCookie(header: string | undefined, secure: boolean): string | null {
  const value = COOKIE.read(header, secure)
  return value !== null && VALUE.test(value) ? value : null
}

/** The Set-Cookie header that gives a browser its session for this long; 0 seconds removes it. */
export function sessionCookie(value: string, secure: boolean, seconds: number): string {
  return COOKIE.write(value, secure, seconds)
}
