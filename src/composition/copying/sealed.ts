import { MAIL_SEAL } from '../../identity/mail/outbox.ts'
import { SIGNING_KEY_SEAL } from '../../identity/oauth/keys/signing-keys.ts'
import { TOTP_SEAL } from '../../identity/sessions/factors/sealed-totp.ts'
import { SALT_SEAL } from '../../insights/search-log/visitors.ts'
import type { Queries } from '../../platform/database/database.ts'
import { SecretFileError } from '../../platform/secret-file.ts'
import { SecretBox } from '../../platform/secrets.ts'
import { secretNoteOf, type SecretPlace } from '../backup/secret-note.ts'
import { type Row, sealedValues } from './store.ts'

/** Returns a row with its sealed values sealed for the target. */
export type Reseal = (table: string, row: Row) => Row

/** The columns of each table that are sealed with the installation's key, and the purpose that the seal is bound to. */
const SEALED: Readonly<Record<string, { readonly columns: readonly string[]; readonly purpose: string }>> = {
  mail_outbox: { columns: ['sealed'], purpose: MAIL_SEAL },
  oauth_signing_keys: { columns: ['sealed'], purpose: SIGNING_KEY_SEAL },
  user_totp: { columns: ['sealed', 'pending_sealed'], purpose: TOTP_SEAL },
  visitor_salts: { columns: ['sealed'], purpose: SALT_SEAL },
}

/**
 * Makes a function that opens values with one key and seals them with another. A value that stays shut is not changed.
 */
export function resealer(from: SecretBox, to: SecretBox): Reseal {
  return (table, row) => {
    const sealed = SEALED[table]
    if (sealed === undefined) return row
    const again = sealed.columns.map((column) => {
      const value = row[column]
      const text = typeof value === 'string' ? from.open(sealed.purpose, value) : null
      return [column, text === null ? value : to.seal(sealed.purpose, text)]
    })
    return { ...row, ...(Object.fromEntries(again) as Row) }
  }
}

/** Values of a column that are tried: enough to tell whether the key is the right one. */
const TRIALS_MAX = 1_000

interface SealTrial {
  readonly purpose: string
  /** Whether the key of the installation opens it. */
  readonly opened: boolean
}

/** Tries the key of the installation on sealed values of the database. It makes no key where there is none yet. */
export async function trySeals(db: Queries, place: SecretPlace): Promise<SealTrial[]> {
  const box = hasKey(place) ? SecretBox.of(place) : null
  const trials: SealTrial[] = []
  for (const [table, { columns, purpose }] of Object.entries(SEALED))
    for (const column of columns)
      for (const value of await sealedValues(db, table, column, TRIALS_MAX))
        trials.push({ purpose, opened: box !== null && box.open(purpose, value) !== null })
  return trials
}

/** Says what the operator must look after when the key does not open every value; null when it does. */
export function sealConcern(seals: readonly SealTrial[], place: SecretPlace): string | null {
  const shut = seals.filter(({ opened }) => !opened)
  if (shut.length === 0) return null
  const what = [...new Set(shut.map(({ purpose }) => purpose))].join(', ')
  return (
    `${keyName(place)} does not open ${shut.length} of ${seals.length} sealed values (${what}): give every process and command ` +
    'the key that they were sealed with. Where that key is lost for good, the service goes on without them'
  )
}

/** Names the place of the installation's key, in words. */
export function keyName({ secretKey, dataDir }: SecretPlace): string {
  return secretKey === null ? `secret.key in ${dataDir}` : 'SECRET_KEY'
}

function hasKey(place: SecretPlace): boolean {
  try {
    return secretNoteOf(place).kept !== 'none'
  } catch (error) {
    // A check of its own tells what is wrong with the file.
    if (error instanceof SecretFileError) return false
    throw error
  }
}
