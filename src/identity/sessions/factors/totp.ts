import { Secret, TOTP } from 'otpauth'

const PERIOD_SECONDS = 30
const SECRET_BYTES = 20
/** Clocks of people may be a step ahead or behind (RFC 6238, section 5.2). */
const STEPS_OFF_MAX = 1
/** What every authenticator app takes; many ignore other parameters (Key URI Format). */
const PARAMETERS = { algorithm: 'SHA1', digits: 6, period: PERIOD_SECONDS } as const

/** A new secret, 160 random bits in base32 (RFC 4226, section 4). */
export function newTotpSecret(): string {
  return new Secret({ size: SECRET_BYTES }).base32
}

/** The address that authenticator apps read, also from a QR code. @param issuer the service as the person knows it */
export function totpUri(secret: string, issuer: string, account: string): string {
  return new TOTP({ ...PARAMETERS, issuer, label: account, secret: Secret.fromBase32(secret) }).toString()
}

/**
 * The time step whose code this is (RFC 6238), at most one away from now.
 * @param code as people type it, also with blanks
 * @param now in milliseconds since 1970
 * @returns null when the code is of none of these steps
 */
export function stepOfCode(secret: string, code: string, now: number): number | null {
  const token = code.replaceAll(/\s/gu, '')
  if (!/^\d{6}$/.test(token)) return null
  const totp = new TOTP({ ...PARAMETERS, secret: Secret.fromBase32(secret) })
  const delta = totp.validate({ token, timestamp: now, window: STEPS_OFF_MAX })
  return delta === null ? null : Math.floor(now / 1_000 / PERIOD_SECONDS) + delta
}
