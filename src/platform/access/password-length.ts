/**
 * Fewest characters of a password: enough against guessing online. No rule demands kinds of characters (NIST SP
 * 800-63B, 3.1.1.2).
 */
export const PASSWORD_LENGTH_MIN = 12
/** Most characters of a password. Longer ones only cost hashing time. */
export const PASSWORD_LENGTH_MAX = 200

/** Returns the form in which a password is hashed: the same for every way to compose its characters (RFC 8265). */
export function normalPassword(raw: string): string {
  return raw.normalize('NFKC')
}

/** Tells whether a password has an allowed length in Unicode code points; JavaScript itself counts UTF-16 units. */
export function isPasswordLength(raw: string): boolean {
  const { length } = Array.from(normalPassword(raw))
  return length >= PASSWORD_LENGTH_MIN && length <= PASSWORD_LENGTH_MAX
}
