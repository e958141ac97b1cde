import { argon2, randomBytes, timingSafeEqual } from 'node:crypto'
import { normalPassword } from '../../platform/access/password-length.ts'

/** Memory and work that a hash takes to compute. */
export interface PasswordCost {
  readonly memoryKib: number
  readonly passes: number
  readonly parallelism: number
}

/** OWASP's minimum for Argon2id: some 40 ms and 19 MiB for each guess. */
export const PASSWORD_COST: PasswordCost = { memoryKib: 19_456, passes: 2, parallelism: 1 }
const SALT_BYTES = 16
const HASH_BYTES = 32
/** Form of a hash: the PHC string format as the reference implementation writes it. */
const FORM = /^\$argon2id\$v=19\$m=(\d{1,7}),t=(\d{1,3}),p=(\d{1,2})\$([A-Za-z0-9+/]{22,})\$([A-Za-z0-9+/]{22,})$/

/** Hashes a new password with Argon2id (RFC 9106), off the main thread. */
export async function hashPassword(password: string, cost: PasswordCost): Promise<string> {
  const salt = randomBytes(SALT_BYTES)
  const hash = await argon2id(password, salt, cost, HASH_BYTES)
  return phcString(cost, salt, hash)
}

/** Tells whether a password matches a stored hash, computed with the cost that the hash states. */
export async function isPassword(password: string, stored: string): Promise<boolean> {
  const parts = partsOf(stored)
  const hash = await argon2id(password, parts.salt, parts.cost, parts.hash.length)
  return timingSafeEqual(hash, parts.hash)
}

/** Tells whether a hash was made with a lower cost than `least`. */
export function isWeak(stored: string, least: PasswordCost): boolean {
  const { cost, hash } = partsOf(stored)
  const isCheaper = cost.memoryKib < least.memoryKib || cost.passes < least.passes
  return isCheaper || cost.parallelism < least.parallelism || hash.length < HASH_BYTES
}

/** Makes a hash that no password matches. Checking it takes as long as checking any other hash of that cost. */
export function unmatchedHash(cost: PasswordCost): string {
  return phcString(cost, randomBytes(SALT_BYTES), randomBytes(HASH_BYTES))
}

function phcString({ memoryKib, passes, parallelism }: PasswordCost, salt: Buffer, hash: Buffer): string {
  return `$argon2id$v=19$m=${memoryKib},t=${passes},p=${parallelism}$${base64(salt)}$${base64(hash)}`
}

function partsOf(stored: string): { cost: PasswordCost; salt: Buffer; hash: Buffer } {
  const match = FORM.exec(stored)
  if (match === null) throw new Error('A stored password hash has a form that this version does not know')
  const [memoryKib, passes, parallelism] = match.slice(1, 4).map(Number)
  const [salt, hash] = match.slice(4).map((text) => Buffer.from(text, 'base64'))
  return { cost: { memoryKib, passes, parallelism }, salt, hash }
}

function argon2id(password: string, nonce: Buffer, cost: PasswordCost, tagLength: number): Promise<Buffer> {
  const { memoryKib: memory, passes, parallelism } = cost
  const message = normalPassword(password)
  return new Promise((resolve, reject) => {
    argon2('argon2id', { message, nonce, parallelism, tagLength, memory, passes }, (error, hash) => {
      if (error) reject(error)
      else resolve(hash)
    })
  })
}

/** Encodes bytes for a PHC string, which has no padding. */
function base64(bytes: Buffer): string {
  return bytes.toString('base64').replaceAll('=', '')
}
