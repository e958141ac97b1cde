import { checkSecretFile, readFormerSecret } from '../../platform/secret-file.ts'
import { SecretBox, type SecretSource } from '../../platform/secrets.ts'

/** The secret key that opens the sealed values of an installation or a backup. */
export interface KeyNote {
  /** Whether the key is in a file, is a setting, or does not exist. */
  readonly kept: 'file' | 'setting' | 'none'
  /** A hash by which keys are compared; null without a key. */
  readonly fingerprint: string | null
  /** The hash of the key before, whose file lies beside that of the key; absent without one. */
  readonly former?: string
}

/**
 * Returns where the key of an installation is, with its fingerprint.
 * @throws SecretFileError when the file is not usable
 */
export function keyNoteOf({ secretKey, dataDir }: SecretSource): KeyNote {
  if (secretKey !== null) return { kept: 'setting', fingerprint: fingerprintOf(secretKey) }
  if (!checkSecretFile(dataDir)) return { kept: 'none', fingerprint: null }
  const fingerprint = fingerprintOfBox(SecretBox.of({ secretKey, dataDir }))
  const [former] = readFormerSecret(dataDir)
  return { kept: 'file', fingerprint, ...(former === undefined ? {} : { former: fingerprintOf(former) }) }
}

/** Tells whether an installation has a key, also as one from before. */
export function hasKeyOf(place: SecretSource, fingerprint: string): boolean {
  const { fingerprint: own, former } = keyNoteOf(place)
  return [own, former, ...(place.formerSecretKeys ?? []).map(fingerprintOf)].includes(fingerprint)
}

/** Derives 64 bits from a key, which are the same each time and tell nothing else of the key. */
export function fingerprintOf(secretKey: string): string {
  return fingerprintOfBox(new SecretBox(() => secretKey))
}

function fingerprintOfBox(box: SecretBox): string {
  return box.derive('fingerprint of the key').toString('hex', 0, 8)
}
