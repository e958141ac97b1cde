import { generateKeyPair } from 'node:crypto'
import { promisify } from 'node:util'
import type { Database, Queries } from '../../../platform/database/database.ts'
import { newId } from '../../../platform/ids.ts'
import type { SecretBox } from '../../../platform/secrets.ts'
import { lockTenants } from '../../tenants/lock-rules.ts'
import * as keyStore from './key-store.ts'

/** What it is sealed for. */
export const SIGNING_KEY_SEAL = 'oauth signing key'
const DAY_MS = 86_400_000
const ROTATE_AFTER_MS = 90 * DAY_MS
/** The previous key stays published, so that tokens it signed can still be verified. */
const KEEP_MS = 2 * ROTATE_AFTER_MS
/** How long a process uses the keys it has read before it reads them again. */
export const KEYS_FRESH_MS = 3_600_000
/** Another process may not know a younger key yet. Twice the time, because clocks differ and reading takes time. */
const SIGNS_AFTER_MS = 2 * KEYS_FRESH_MS
const RSA_BITS = 2_048

interface Jwk {
  readonly kid: string
  readonly use: string
  readonly alg: string
}

const generate = promisify(generateKeyPair)

/**
 * The keys of ID tokens. The first one signs, the others are only published. Keys are sealed in the database, created
 * when there is none, and renewed after 90 days. A new key signs once every process has read and published it. Keys
 * that were sealed with another secret are skipped.
 */
export async function signingKeys(
  database: Database,
  secrets: SecretBox,
  now: number = Date.now(),
): Promise<readonly Jwk[]> {
  const known = await readKeys(database.queries, secrets)
  return inOrderOfUse(needsNewKey(known, now) ? await addKey(database, secrets, now) : known, now)
}

interface Known {
  readonly jwk: Jwk
  readonly createdAt: number
}

/** @param known newest first */
const needsNewKey = (known: readonly Known[], now: number): boolean =>
  known.length === 0 || now - known[0].createdAt >= ROTATE_AFTER_MS

function inOrderOfUse(known: readonly Known[], now: number): readonly Jwk[] {
  const signer = known.find(({ createdAt }) => now - createdAt > SIGNS_AFTER_MS) ?? known[known.length - 1]
  return [signer, ...known.filter((each) => each !== signer)].map(({ jwk }) => jwk)
}

async function addKey(database: Database, secrets: SecretBox, now: number): Promise<readonly Known[]> {
  const made = await makeKey()
  return database.write(async (tx) => {
    await lockTenants(tx, database)
    // Another process may have been first, and one key is enough.
    const known = await readKeys(tx, secrets)
    if (!needsNewKey(known, now)) return known
    await keyStore.insertSigningKey(tx, made.kid, secrets.seal(SIGNING_KEY_SEAL, JSON.stringify(made)), now)
    await keyStore.deleteSigningKeys(tx, now - KEEP_MS)
    return readKeys(tx, secrets)
  })
}

async function readKeys(db: Queries, secrets: SecretBox): Promise<readonly Known[]> {
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
