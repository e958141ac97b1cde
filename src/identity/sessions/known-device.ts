import { createHash } from 'node:crypto'

/** A browser in which people have signed in. */
export interface KnownDevice {
  /** Random name of the browser, by which its wrong guesses are counted. */
  readonly id: string
  /** Names of the accounts that signed in here (`accountName`), the latest last. */
  readonly accounts: readonly string[]
}

/** One person's account: an email address may have one in several tenants, of different people. */
export interface Account {
  readonly tenantId: string
  readonly userId: string
}

/** Returns the name of an account in a browser: a SHA-256. */
export function accountName({ tenantId, userId }: Account): string {
  return createHash('sha256')
    .update(JSON.stringify([tenantId, userId]))
    .digest('base64url')
}

/** Tells whether each of these accounts, and at least one, has signed in in the browser. */
export function areKnownTo({ accounts }: KnownDevice, tried: readonly Account[]): boolean {
  return tried.length > 0 && tried.every((account) => accounts.includes(accountName(account)))
}
