import { existsSync, linkSync } from 'node:fs'
import type { Config } from '../../config.ts'
import { checkSecretFile, secretFile } from '../../platform/secret-file.ts'
import { SecretBox } from '../../platform/secrets.ts'
import type { SecretNote } from './manifest.ts'
import { copyPrivately } from './staging.ts'

export type SecretPlace = Pick<Config, 'secretKey' | 'dataDir'>

/**
 * Returns where the key of an installation is, with its fingerprint.
 * @throws SecretFileError when the file is not usable
 */
export function secretNoteOf({ secretKey, dataDir }: SecretPlace): SecretNote {
  if (secretKey !== null) return { kept: 'setting', fingerprint: fingerprintOf({ secretKey, dataDir }) }
  if (!checkSecretFile(dataDir)) return { kept: 'none', fingerprint: null }
  return { kept: 'file', fingerprint: fingerprintOf({ secretKey, dataDir }) }
}

/** Derives 64 bits from a key, which are the same each time and tell nothing else of the key. */
function fingerprintOf(place: SecretPlace): string {
  return SecretBox.of(place).derive('fingerprint of the key').toString('hex', 0, 8)
}

/** Puts the key of a backup into a data directory that has none, in one step. @param part a folder beside it */
export function restoreSecretFile(path: string, part: string, dataDir: string): void {
  if (!existsSync(secretFile(path)) || existsSync(secretFile(dataDir))) return
  copyPrivately(secretFile(path), secretFile(part))
  linkSync(secretFile(part), secretFile(dataDir))
}
