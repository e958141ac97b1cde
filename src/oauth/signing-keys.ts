import { generateKeyPair } from 'node:crypto'
import { promisify } from 'node:util'
import type { Database } from '../database/database.ts'
import { newId } from '../ids.ts'
import type { SecretBox } from '../secrets.ts'
import * as store from './store.ts'

const PURPOSE = 'oauth signing key'
const DAY_MS = 86_400_000
const ROTATE_AFTER_MS = 90 * DAY_MS
/** What the key before signed is checked for as long. */
const KEEP_MS = 2 * ROTATE_AFTER_MS
const RSA_BITS = 2_048

interface Jwk {
  readonly kid: string
  readonly use: string
  readonly alg: string
}

const generate = promisify(generateKeyPair)

/**
 * The keys that sign ID tokens, the newest first: that one signs, the others still verify. They are sealed in the
 * database, made when there is none, and renewed after 90 days. Keys sealed with another secret are passed over.
 */
export async function signingKeys(
  database: Database,
  secrets: SecretBox,
  now: number = Date.now(),
): Promise<readonly Jwk[]> {
  const known = await readKeys(database, secrets)
  if (known.length > 0 && now - known[0].createdAt < ROTATE_AFTER_MS) return known.map(({ jwk }) => jwk)
  const made = await makeKey()
  await database.write(async (tx) => {
    await store.insertSigningKey(tx, made.kid, secrets.seal(PURPOSE, JSON.stringify(made)), now)
    await store.deleteSigningKeys(tx, now - KEEP_MS)
  })
  return (await readKeys(database, secrets)).map(({ jwk }) => jwk)
}

async function readKeys({ queries }: Database, secrets: SecretBox) {
  const rows = await store.listSigningKeys(queries)
  return rows.flatMap(({ sealed, created_at: createdAt }) => {
    const opened = secrets.open(PURPOSE, sealed)
    return opened === null ? [] : [{ jwk: JSON.parse(opened) as Jwk, createdAt }]
  })
}

async function makeKey(): Promise<Jwk> {
  const { privateKey } = await generate('rsa', { modulusLength: RSA_BITS })
  return { ...privateKey.export({ format: 'jwk' }), kid: newId(), use: 'sig', alg: 'RS256' }
}
