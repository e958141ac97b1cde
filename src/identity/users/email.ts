/** What ends an address that stands for an erased person. Nobody else may have one. */
export const ERASED_DOMAIN = '@erased.invalid'

/** Without what only quoted addresses or lists of recipients have: mail would go elsewhere than people read. */
const EMAIL = /^[^@\s\p{Cc}<>()[\]\\",:;]{1,200}@[^@\s\p{Cc}<>()[\]\\",:;]{1,200}$/u

/** Whether a text has the form of an email address that a user may have. */
export function isEmail(text: string): boolean {
  return EMAIL.test(text) && !lowerEmail(text).endsWith(ERASED_DOMAIN)
}

/**
 * An address in lower case, as it is stored and compared. A letter whose lower case belongs to another capital stays:
 * otherwise the Kelvin sign (U+212A) would make a stranger's address that of somebody with a k.
 */
export function lowerEmail(text: string): string {
  return Array.from(text, (letter) => {
    const lower = letter.toLowerCase()
    return lower.toUpperCase() === letter ? lower : letter
  }).join('')
}
