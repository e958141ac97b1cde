import { hash, randomBytes } from 'node:crypto'

/** Returns a new secret: 256 random bits, base64url. */
export function newSecret(): string {
  return randomBytes(32).toString('base64url')
}

/** Returns the hash of a random secret, which is stored instead of the secret. */
export function hashSecret(secret: string): string {
  return hash('sha256', secret)
}
