import { HostCookie } from '../../../platform/http/host-cookie.ts'

const STEP = new HostCookie('ks_second_step')
const CHALLENGE = new HostCookie('ks_passkey')
/** Base64url of 32 random bytes. */
const VALUE = /^[\w-]{43}$/

/** The secret of a sign-in that waits for a second factor; null without one of the right form. */
export function readStepCookie(header: string | undefined, secure: boolean): string | null {
  return secretIn(STEP.read(header, secure))
}

/** The Set-Cookie header that binds a waiting sign-in to the browser for so many seconds; 0 removes it. */
export function stepCookie(value: string, secure: boolean, seconds: number): string {
  return STEP.write(value, secure, seconds)
}

/** The secret that came with the challenge of a sign-in by passkey; null without one of the right form. */
export function readChallengeCookie(header: string | undefined, secure: boolean): string | null {
  return secretIn(CHALLENGE.read(header, secure))
}

/** The Set-Cookie header that binds a challenge to the browser for so many seconds; 0 removes it. */
export function challengeCookie(value: string, secure: boolean, seconds: number): string {
  return CHALLENGE.write(value, secure, seconds)
}

function secretIn(value: string | null): string | null {
  return value !== null && VALUE.test(value) ? value : null
}
