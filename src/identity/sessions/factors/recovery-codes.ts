import { hashSecret } from '../../../platform/random-secret.ts'
import { generatePassword } from '../generate-password.ts'

/** Number of codes that a person gets at once. */
const CODES = 10

/** Makes new codes to keep on paper. Each has 99 random bits, so that its plain hash does not reveal it. */
export function newRecoveryCodes(): string[] {
  return Array.from({ length: CODES }, generatePassword)
}

/** Returns the hash of a code as people type it: hyphens, blanks and capital letters make no difference. */
export function hashRecoveryCode(code: string): string {
  return hashSecret(code.toLowerCase().replaceAll(/[\s-]/gu, ''))
}
