import { timingSafeEqual } from 'node:crypto'
import { hashSecret } from '../../../platform/random-secret.ts'

/** Whether a secret is the one that was stored as this hash; takes as long whatever it is. */
export function isSecretOf(storedHash: string, secret: string): boolean {
  const [stored, sent] = [Buffer.from(storedHash), Buffer.from(hashSecret(secret))]
  return stored.length === sent.length && timingSafeEqual(stored, sent)
}
