/** Long enough against guessing online. No rule about the kinds of characters (NIST SP 800-63B, 3.1.1.2). */
export const PASSWORD_LENGTH_MIN = 12
/** Longer passwords only cost hashing time. */
export const PASSWORD_LENGTH_MAX = 200

/** The form in which a password is hashed: the same for every way to compose its characters (RFC 8265). */
export function normalPassword(raw: string): string {
  return raw.normalize('NFKC')
}

/** Whether a password has an allowed length in Unicode code points, not in UTF-16 units as JavaScript counts. */
export function isPasswordLength(raw: string): boolean {
  const { length } = Array.from(normalPassword(raw))
  return length >= PASSWORD_LENGTH_MIN && length <= PASSWORD_LENGTH_MAX
}
