import { setTimeout as sleep } from 'node:timers/promises'
import { Secret, TOTP } from 'otpauth'

const PERIOD_MS = 30_000
/** A busy machine needs less from the making of a code to its check, also with a browser between them. */
const WAY_MAX_MS = 5_000

/**
 * The code that an authenticator app shows (RFC 6238).
 * @param stepsAhead how many steps the app's clock is ahead; each code counts once, so tests use the neighbours too
 */
export function codeOf(secret: string, stepsAhead = 0): string {
  const totp = new TOTP({ secret: Secret.fromBase32(secret) })
  return totp.generate({ timestamp: Date.now() + stepsAhead * PERIOD_MS })
}

/**
 * The code of the step before, which leaves the present one for later. The service takes it until the present step ends,
 * so this waits for the next step if that is about to begin.
 */
export async function codeBefore(secret: string): Promise<string> {
  const left = () => PERIOD_MS - (Date.now() % PERIOD_MS)
  // A timer may ring a millisecond early by this clock.
  while (left() < WAY_MAX_MS) await sleep(left())
  return codeOf(secret, -1)
}
