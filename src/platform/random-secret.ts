import { hash, randomBytes } from 'node:crypto'

/** A new secret: 256 random bits, base64url. */
export function newSecret(): string {
  return randomBytes(32).toString('base64url')
}

/** The hash of a random secret, which is stored instead of the secret. */
export function hashSecret(secret: string): string {
  return hash('sha256', secret)
}
