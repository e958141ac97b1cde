import { readFileSync } from 'node:fs'
import { resolve } from 'node:path'
import type { Config } from '../../config.ts'
import { isPostgresUrl } from '../../platform/database/postgres-address.ts'
import { SECRET_CHARACTERS_MIN } from '../../platform/secret-file.ts'
import { SecretBox } from '../../platform/secrets.ts'
import { BackupError } from '../backup/manifest.ts'
import { restoreSecretFile, secretNoteOf, type SecretPlace } from '../backup/secret-note.ts'
import { withPart } from '../backup/staging.ts'
import { copyData } from './copy.ts'
import { resealer } from './sealed.ts'

export interface CopyRequest {
  /** A data directory, or a postgres:// address. */
  readonly to: string
  /** File with the secret key of the target; null where it is in the target folder, or the target has none yet. */
  readonly keyFile: string | null
  readonly tenantId: string | null
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
export async function copyInstallation(config: Config, { to, keyFile, tenantId }: CopyRequest): Promise<CopyResult> {
  const isPostgres = isPostgresUrl(to)
  // An address with a typing error is no folder, whose name would show the password. One letter is a drive of Windows.
  if (!isPostgres && /^[a-z][a-z\d+.-]+:/i.test(to))
    throw new BackupError('The target is neither a data directory nor a postgres:// address that can be read.')
  const target = isPostgres ? { dataDir: '', databaseUrl: to } : { dataDir: resolve(to), databaseUrl: null }
  const isSame = isPostgres
    ? to === config.databaseUrl
    : config.databaseUrl === null && target.dataDir === config.dataDir
  if (isSame) throw new BackupError('The target is the database itself. Name another one.')
  const key = targetKey(target.dataDir, keyFile)
  const [here, there] = [secretNoteOf(config), key === null ? null : secretNoteOf(key)]
  const keepsKey = there === null || there.fingerprint === null
  const isOther = !keepsKey && here.fingerprint !== null && here.fingerprint !== there.fingerprint
  const reseal = isOther ? resealer(SecretBox.of(config), SecretBox.of(key!)) : null
  // The key comes before the rows, so that a process that serves them can open what is sealed in them.
  if (keepsKey && !isPostgres && here.kept === 'file') {
    await withPart(target.dataDir, async (part) => restoreSecretFile(config.dataDir, part, target.dataDir))
  }
  const from = { dataDir: config.dataDir, databaseUrl: config.databaseUrl }
  const counts = await copyData({ from, to: target, tenantId, reseal })
  const hasKey = !keepsKey || (!isPostgres && here.kept === 'file')
  return { counts, needsKey: here.fingerprint !== null && !hasKey }
}

/** Returns where the key of the target is; null where only the operator of the target knows. */
function targetKey(dataDir: string, keyFile: string | null): SecretPlace | null {
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
