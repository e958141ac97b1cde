import { setTimeout as sleep } from 'node:timers/promises'
import { Secret, TOTP } from 'otpauth'

const PERIOD_MS = 30_000
/** Milliseconds within which even a busy machine gets a code from the app to its check, with a browser in between. */
const WAY_MAX_MS = 5_000

/**
 * Returns the code that an authenticator app shows (RFC 6238).
 * @param stepsAhead how many steps the app's clock is ahead; each code counts once, so tests use the neighbours too
 */
export function codeOf(secret: string, stepsAhead = 0): string {
  const totp = new TOTP({ secret: Secret.fromBase32(secret) })
  return totp.generate({ timestamp: Date.now() + stepsAhead * PERIOD_MS })
}

/**
 * Returns the code of the previous step, so that the present one remains for later use. The service accepts the
 * previous code until the present step ends, so the function waits for the next step if that is about to begin.
 */
export async function codeBefore(secret: string): Promise<string> {
  const left = () => PERIOD_MS - (Date.now() % PERIOD_MS)
  // A timer may ring a millisecond early by this clock.
  while (left() < WAY_MAX_MS) await sleep(left())
  return codeOf(secret, -1)
}
