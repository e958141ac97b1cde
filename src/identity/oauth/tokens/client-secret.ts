import { timingSafeEqual } from 'node:crypto'
import { hashSecret } from '../../../platform/random-secret.ts'

/** Tells whether a secret has this hash, by a comparison in constant time. */
export function isSecretOf(storedHash: string, secret: string): boolean {
  const [stored, sent] = [Buffer.from(storedHash), Buffer.from(hashSecret(secret))]
  return stored.length === sent.length && timingSafeEqual(stored, sent)
}
