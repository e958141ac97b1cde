import { MAIL_SEAL } from '../../identity/mail/outbox.ts'
import { SIGNING_KEY_SEAL } from '../../identity/oauth/keys/signing-keys.ts'
import { ID_TOKEN_SEAL } from '../../identity/sessions/provider-sign-out.ts'
import { TOTP_SEAL } from '../../identity/sessions/factors/sealed-totp.ts'
import { SALT_SEAL } from '../../insights/search-log/visitors.ts'
import type { Queries } from '../../platform/database/database.ts'
import type { Row } from '../../platform/database/table-shapes.ts'
import { SecretFileError } from '../../platform/secret-file.ts'
import { SecretBox, type SecretSource } from '../../platform/secrets.ts'
import { keyNoteOf } from './key-note.ts'
import { sealedValues } from './store.ts'

/** Returns a row with its sealed values sealed for the target. */
export type Reseal = (table: string, row: Row) => Row

interface SealedColumns {
  readonly columns: readonly string[]
  /** The purpose that the seal is bound to. */
  readonly purpose: string
}

/** The columns of each table that are sealed with the installation's key. */
export const SEALED: Readonly<Record<string, SealedColumns>> = {
  mail_outbox: { columns: ['sealed'], purpose: MAIL_SEAL },
  oauth_signing_keys: { columns: ['sealed'], purpose: SIGNING_KEY_SEAL },
  sessions: { columns: ['provider_id_token'], purpose: ID_TOKEN_SEAL },
  sign_in_steps: { columns: ['provider_id_token'], purpose: ID_TOKEN_SEAL },
  user_totp: { columns: ['sealed', 'pending_sealed'], purpose: TOTP_SEAL },
  visitor_salts: { columns: ['sealed'], purpose: SALT_SEAL },
}

/** Makes a function that opens values with one key and seals them with another. A value that stays shut is not changed. */
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

/** Values of a column that are tried at a start: enough to tell whether the key is the right one. */
const TRIALS_MAX = 1_000

interface SealTrial {
  /** Table and column of the value, such as `user_totp.sealed`. */
  readonly kind: string
  readonly purpose: string
  /** Which key of the installation opens it; null for none. */
  readonly openedBy: 'key' | 'former' | null
}

/**
 * Tries the keys of the installation on sealed values of the database. It makes no key where there is none yet, and
 * leaves out what an older schema does not have.
 * @param limit number of values of a column that are tried; null for all
 */
export async function trySeals(
  db: Queries,
  place: SecretSource,
  limit: number | null = TRIALS_MAX,
): Promise<SealTrial[]> {
  const box = hasKey(place) ? SecretBox.of(place) : null
  const columnsByTable = new Map(
    (await db.introspection.getTables()).map(({ name, columns }) => [name, columns.map((column) => column.name)]),
  )
  const trials: SealTrial[] = []
  for (const [table, { columns, purpose }] of Object.entries(SEALED))
    for (const column of columns) {
      if (columnsByTable.get(table)?.includes(column) !== true) continue
      for (const value of await sealedValues(db, table, column, limit)) {
        const opened = box?.openBy(purpose, value) ?? null
        const openedBy = opened === null ? null : opened.isFormer ? 'former' : 'key'
        trials.push({ kind: `${table}.${column}`, purpose, openedBy })
      }
    }
  return trials
}

/** How many values of a kind are sealed, and how many of them the keys of the installation open. */
export interface SealCount {
  readonly sealed: number
  readonly opened: number
}

/** Tries the keys on every sealed value of the database. @returns the counts by kind, such as `user_totp.sealed` */
export async function countSeals(db: Queries, place: SecretSource): Promise<Record<string, SealCount>> {
  const kinds = Map.groupBy(await trySeals(db, place, null), ({ kind }) => kind)
  return Object.fromEntries(
    [...kinds].map(([kind, trials]) => [
      kind,
      { sealed: trials.length, opened: trials.filter(({ openedBy }) => openedBy !== null).length },
    ]),
  )
}

/** Says what the operator must look after when the key does not open every value; null when it does. */
export function sealConcern(seals: readonly SealTrial[], place: SecretSource): string | null {
  const shut = seals.filter(({ openedBy }) => openedBy === null)
  if (shut.length > 0)
    return (
      `${keyName(place)} does not open ${shut.length} of ${seals.length} sealed values (${purposesOf(shut)}): give every ` +
      'process and command the key that they were sealed with. Where that key is lost for good, the service goes on ' +
      'without them'
    )
  const former = seals.filter(({ openedBy }) => openedBy === 'former')
  if (former.length === 0) return null
  return (
    `${former.length} of ${seals.length} sealed values (${purposesOf(former)}) are sealed with a former key: once every ` +
    'process has the new one, run knowledge secret rotate'
  )
}

/** Names what values are sealed for. */
export function purposesOf(seals: readonly Pick<SealTrial, 'purpose'>[]): string {
  return [...new Set(seals.map(({ purpose }) => purpose))].join(', ')
}

/** Names the place of the installation's key, in words. */
export function keyName({ secretKey, dataDir }: SecretSource): string {
  return secretKey === null ? `secret.key in ${dataDir}` : 'SECRET_KEY'
}

function hasKey(place: SecretSource): boolean {
  try {
    return keyNoteOf(place).kept !== 'none'
  } catch (error) {
    // A check of its own tells what is wrong with the file.
    if (error instanceof SecretFileError) return false
    throw error
  }
}
