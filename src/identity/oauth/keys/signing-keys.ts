import { generateKeyPair } from 'node:crypto'
import { promisify } from 'node:util'
import type { Database, Queries } from '../../../platform/database/database.ts'
import { newId } from '../../../platform/ids.ts'
import type { SecretBox } from '../../../platform/secrets.ts'
import { lockTenants } from '../../tenants/lock-rules.ts'
import * as keyStore from './key-store.ts'

/** Purpose that signing keys are sealed for. */
export const SIGNING_KEY_SEAL = 'oauth signing key'
const DAY_MS = 86_400_000
const ROTATE_AFTER_MS = 90 * DAY_MS
/** Age at which a key is removed: the previous key stays published, so that tokens it signed can still be verified. */
const KEEP_MS = 2 * ROTATE_AFTER_MS
/** Time for which a process uses the keys it has read before it reads them again. */
export const KEYS_FRESH_MS = 3_600_000
/**
 * Age at which a key begins to sign: another process may not have read a younger key yet. It is twice `KEYS_FRESH_MS`,
 * because clocks differ and reading takes time.
 */
const SIGNS_AFTER_MS = 2 * KEYS_FRESH_MS
const RSA_BITS = 2_048

interface Jwk {
  readonly kid: string
  readonly use: string
  readonly alg: string
}

const generate = promisify(generateKeyPair)

/**
 * Returns the keys of ID tokens: the first one signs, the others are only published. Keys are sealed in the database,
 * created when there is none, and renewed after 90 days. A new key signs once every process has read and published it.
 * Keys that were sealed with another secret are skipped.
 */
export async function signingKeys(
  database: Database,
  secrets: SecretBox,
  now: number = Date.now(),
): Promise<readonly Jwk[]> {
  const keys = await readKeys(database.queries, secrets)
  return inOrderOfUse(needsNewKey(keys, now) ? await addKey(database, secrets, now) : keys, now)
}

interface StoredKey {
  readonly jwk: Jwk
  readonly createdAt: number
}

/** Tells whether it is time for a new key. @param keys newest first */
const needsNewKey = (keys: readonly StoredKey[], now: number): boolean =>
  keys.length === 0 || now - keys[0].createdAt >= ROTATE_AFTER_MS

/** Returns the key that signs, then the others. @param keys newest first */
function inOrderOfUse(keys: readonly StoredKey[], now: number): readonly Jwk[] {
  const signer = keys.find(({ createdAt }) => now - createdAt > SIGNS_AFTER_MS) ?? keys[keys.length - 1]
  return [signer, ...keys.filter((each) => each !== signer)].map(({ jwk }) => jwk)
}

async function addKey(database: Database, secrets: SecretBox, now: number): Promise<readonly StoredKey[]> {
  const key = await makeKey()
  return database.write(async (tx) => {
    await lockTenants(tx, database)
    // Another process may have been first, and one key is enough.
    const keys = await readKeys(tx, secrets)
    if (!needsNewKey(keys, now)) return keys
    await keyStore.insertSigningKey(tx, key.kid, secrets.seal(SIGNING_KEY_SEAL, JSON.stringify(key)), now)
    await keyStore.deleteSigningKeys(tx, now - KEEP_MS)
    return readKeys(tx, secrets)
  })
}

async function readKeys(db: Queries, secrets: SecretBox): Promise<readonly StoredKey[]> {
  const rows = await keyStore.listSigningKeys(db)
  return rows.flatMap(({ sealed, created_at: createdAt }) => {
    const opened = secrets.open(SIGNING_KEY_SEAL, sealed)
    return opened === null ? [] : [{ jwk: JSON.parse(opened) as Jwk, createdAt }]
  })
}

async function makeKey(): Promise<Jwk> {
  const { privateKey } = await generate('rsa', { modulusLength: RSA_BITS })
  return { ...privateKey.export({ format: 'jwk' }), kid: newId(), use: 'sig', alg: 'RS256' }
}
