import { Secret, TOTP } from 'otpauth'

const PERIOD_SECONDS = 30
const SECRET_BYTES = 20
/** Steps that a person's clock may be ahead or behind (RFC 6238, section 5.2). */
const STEPS_OFF_MAX = 1
/** Parameters that every authenticator app takes; many ignore others (Key URI Format). */
const PARAMETERS = { algorithm: 'SHA1', digits: 6, period: PERIOD_SECONDS } as const

/** Makes a new secret, 160 random bits in base32 (RFC 4226, section 4). */
export function newTotpSecret(): string {
  return new Secret({ size: SECRET_BYTES }).base32
}

/** Returns the address that authenticator apps read, also from a QR code. @param issuer name that people see */
export function totpUri(secret: string, issuer: string, account: string): string {
  return new TOTP({ ...PARAMETERS, issuer, label: account, secret: Secret.fromBase32(secret) }).toString()
}

/**
 * Returns the time step that a code belongs to (RFC 6238), at most one step away from now.
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
