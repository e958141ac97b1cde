import { readFileSync } from 'node:fs'
import { resolve } from 'node:path'
import type { Config } from '../../config.ts'
import { requireTenantId } from '../../identity/tenants/rules.ts'
import { isPostgresUrl } from '../../platform/database/postgres-address.ts'
import { SECRET_CHARACTERS_MIN, secretFile } from '../../platform/secret-file.ts'
import { SecretBox, type SecretSource } from '../../platform/secrets.ts'
import { BackupError } from '../backup/manifest.ts'
import { putRestoredKey } from '../backup/restored-key.ts'
import { withPart } from '../backup/staging.ts'
import { keyNoteOf } from '../seals/key-note.ts'
import { resealer } from '../seals/sealed.ts'
import type { RowChange } from './copied-rows.ts'
import { copyData, type CopyWords } from './copy.ts'
import { renamer } from './renamed.ts'

export interface CopyRequest {
  /** A data directory, or a postgres:// address; null for the installation itself, where `as` is another name. */
  readonly to: string | null
  /** File with the secret key of the target; null where it is in the target folder, or the target has none yet. */
  readonly keyFile: string | null
  readonly tenantId: string | null
  /** Id that the tenant has in the target; null where it keeps its own. */
  readonly as: string | null
}

export interface CopyResult {
  readonly counts: Readonly<Record<string, number>>
  /** Whether a service of the target needs the key of the source, which the operator must take there. */
  readonly needsKey: boolean
}

/**
 * Copies the installation of the settings, or a tenant of it, to another database. Sealed values can be opened there:
 * the secret key is copied too, or the values are sealed again with the key of the target.
 * @throws BackupError, Fault
 */
export async function copyInstallation(config: Config, request: CopyRequest): Promise<CopyResult> {
  const { to, keyFile, tenantId, as } = request
  if (as !== null) requireTenantId(as)
  const from = { dataDir: config.dataDir, databaseUrl: config.databaseUrl }
  if (to === null) return copyBeside(from, { tenantId: tenantId!, as: as! })
  const isPostgres = isPostgresUrl(to)
  // An address with a typing error is no folder, whose name would show the password. One letter is a drive of Windows.
  if (!isPostgres && /^[a-z][a-z\d+.-]+:/i.test(to))
    throw new BackupError('The target is neither a data directory nor a postgres:// address that can be read.')
  const target = isPostgres ? { dataDir: '', databaseUrl: to } : { dataDir: resolve(to), databaseUrl: null }
  const isSame = isPostgres
    ? to === config.databaseUrl
    : config.databaseUrl === null && target.dataDir === config.dataDir
  if (isSame) throw new BackupError('The target is the database itself. Name another one, or with --as no --to.')
  const key = targetKey(target.dataDir, keyFile)
  const [here, there] = [keyNoteOf(config), key === null ? null : keyNoteOf(key)]
  const keepsKey = there === null || there.fingerprint === null
  const isOther = !keepsKey && here.fingerprint !== null && here.fingerprint !== there.fingerprint
  // A copy has one key: what a former one has sealed is sealed with the present one there.
  const hasFormer = here.former !== undefined || config.formerSecretKeys.length > 0
  const renaming = as === null || as === tenantId ? null : { from: tenantId!, to: as }
  const reseal =
    isOther || hasFormer ? resealer(SecretBox.of(config), SecretBox.of(isOther ? key! : config)) : unchanged
  // The key comes before the rows, so that a process that serves them can open what is sealed in them.
  if (keepsKey && !isPostgres && here.kept === 'file') {
    const content = readFileSync(secretFile(config.dataDir), 'utf8')
    await withPart(target.dataDir, async (part) => putRestoredKey({ content, former: null }, part, target.dataDir))
  }
  const rename = renaming === null ? unchanged : renamer(renaming)
  const change: RowChange = (table, row) => rename(table, reseal(table, row))
  const counts = await copyData({ from, to: target, tenantId, change, renaming, replaces: false, words: ELSEWHERE })
  const hasKey = !keepsKey || (!isPostgres && here.kept === 'file')
  return { counts, needsKey: here.fingerprint !== null && !hasKey }
}

const ELSEWHERE: CopyWords = {
  source: 'the installation',
  target: 'the target',
  ifTaken: 'a copy replaces nothing, so name another place with --to, or another id with --as',
}

const BESIDE: CopyWords = {
  source: 'the installation',
  target: 'the installation',
  ifTaken: 'a copy replaces nothing, so name another id with --as',
}

const unchanged: RowChange = (_table, row) => row

/** Copies a tenant within its installation. */
async function copyBeside(
  place: Pick<Config, 'dataDir' | 'databaseUrl'>,
  { tenantId, as }: { readonly tenantId: string; readonly as: string },
): Promise<CopyResult> {
  const renaming = { from: tenantId, to: as }
  const counts = await copyData({
    from: place,
    to: place,
    tenantId,
    change: renamer(renaming),
    renaming,
    replaces: false,
    words: BESIDE,
  })
  return { counts, needsKey: false }
}

/** Returns where the key of the target is; null where only the operator of the target knows. */
function targetKey(dataDir: string, keyFile: string | null): SecretSource | null {
  if (keyFile !== null) return { secretKey: readKey(keyFile), dataDir }
  return dataDir === '' ? null : { secretKey: null, dataDir }
}

function readKey(file: string): string {
  let key: string
  try {
    key = readFileSync(file, 'utf8').trim()
  } catch (error) {
    throw new BackupError(`Cannot read ${file}: ${(error as NodeJS.ErrnoException).code}`)
  }
  // A service refuses a shorter key, and so could never open the copy.
  if (key.length < SECRET_CHARACTERS_MIN)
    throw new BackupError(`The key in ${file} must have at least ${SECRET_CHARACTERS_MIN} characters.`)
  return key
}
