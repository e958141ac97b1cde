/** End of the addresses that stand for erased people. No other user may have such an address. */
export const ERASED_DOMAIN = '@erased.invalid'

/** Leaves out the characters of quoted addresses and lists of recipients, which could send mail to another address. */
const EMAIL = /^[^@\s\p{Cc}<>()[\]\\",:;]{1,200}@[^@\s\p{Cc}<>()[\]\\",:;]{1,200}$/u

/** Tells whether a text has the form of an email address that a user may have. */
export function isEmail(text: string): boolean {
  return EMAIL.test(text) && !lowerEmail(text).endsWith(ERASED_DOMAIN)
}

/**
 * Returns an address in lower case, as it is stored and compared. A letter whose lower case belongs to another capital
 * stays: otherwise a stranger's address with the Kelvin sign (U+212A) would equal a user's address with a k.
 */
export function lowerEmail(text: string): string {
  return Array.from(text, (letter) => {
    const lower = letter.toLowerCase()
    return lower.toUpperCase() === letter ? lower : letter
  }).join('')
}
