/** Long enough that guessing online is hopeless; how it is made up is up to the person (NIST SP 800-63B, 3.1.1.2). */
export const PASSWORD_LENGTH_MIN = 12
/** Longer ones would only cost hashing time. */
export const PASSWORD_LENGTH_MAX = 200

/** The form in which a password is hashed: however a keyboard composes its characters, it is the same (RFC 8265). */
export function normalPassword(raw: string): string {
  return raw.normalize('NFKC')
}

/** Whether a password may be set, by its characters and not by what JavaScript counts. */
export function isPasswordLength(raw: string): boolean {
  const { length } = Array.from(normalPassword(raw))
  return length >= PASSWORD_LENGTH_MIN && length <= PASSWORD_LENGTH_MAX
}
