import { createHash } from 'node:crypto'
import { lowerEmail } from '../users/email.ts'

/** A browser in which people have signed in. */
export interface KnownDevice {
  /** Random name of the browser, by which its wrong guesses are counted. */
  readonly id: string
  /** Names of the accounts that signed in here (`accountName`), the latest last. */
  readonly accounts: readonly string[]
}

/** Returns the name of an account in a browser: the SHA-256 of its email address. */
export function accountName(email: string): string {
  return createHash('sha256').update(lowerEmail(email)).digest('base64url')
}

/** Tells whether somebody with this email address has signed in in the browser. */
export function isKnownTo({ accounts }: KnownDevice, email: string): boolean {
  return accounts.includes(accountName(email))
}
