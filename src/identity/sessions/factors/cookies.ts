import { HostCookie } from '../../../platform/http/host-cookie.ts'

const STEP = new HostCookie('ks_second_step')
const CHALLENGE = new HostCookie('ks_passkey')
/** Form of a secret: base64url of 32 random bytes. */
const VALUE = /^[\w-]{43}$/

/** Returns the secret of a sign-in that waits for a second factor; null without a secret of the right form. */
export function readStepCookie(header: string | undefined, secure: boolean): string | null {
  return secretIn(STEP.read(header, secure))
}

/** Returns the Set-Cookie header that binds a waiting sign-in to the browser. @param seconds lifetime; 0 removes it */
export function stepCookie(value: string, secure: boolean, seconds: number): string {
  return STEP.write(value, secure, seconds)
}

/** Returns the secret that came with a challenge for a passkey; null without a secret of the right form. */
export function readChallengeCookie(header: string | undefined, secure: boolean): string | null {
  return secretIn(CHALLENGE.read(header, secure))
}

/** Returns the Set-Cookie header that binds a challenge to the browser. @param seconds lifetime; 0 removes it */
export function challengeCookie(value: string, secure: boolean, seconds: number): string {
  return CHALLENGE.write(value, secure, seconds)
}

function secretIn(value: string | null): string | null {
  return value !== null && VALUE.test(value) ? value : null
}
