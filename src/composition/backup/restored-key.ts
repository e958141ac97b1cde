import { linkSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { formerSecretFile, isSecret, secretFile, SecretFileError } from '../../platform/secret-file.ts'
import type { Queries } from '../../platform/database/database.ts'
import type { Config } from '../../config.ts'
import type { SecretSource } from '../../platform/secrets.ts'
import { fingerprintOf, hasKeyOf, type KeyNote, keyNoteOf } from '../seals/key-note.ts'
import { countSeals } from '../seals/sealed.ts'
import { BackupError, type Manifest } from './manifest.ts'
import { changed, requireOwnFile } from './own-file.ts'
import { sync } from './staging.ts'

/** The key of an installation once its backup is restored. */
export interface RestoredKey {
  /** Where the service of the place will find the key. */
  readonly place: SecretSource
  /** Content of the `secret.key` that the place gets; null where it has a key, or none is to be had. */
  readonly content: string | null
  /** Content of the file with the key before, which comes along while that is being replaced; null without one. */
  readonly former: string | null
}

/** A backup that is being restored, whose key and description have been checked. */
export interface Restore {
  readonly path: string
  readonly manifest: Manifest
  readonly key: RestoredKey
  /** Whether sealed values that the key does not open are no failure. */
  readonly anyKey: boolean
  readonly signal?: AbortSignal
}

/**
 * Returns the key with which the restored installation will be served.
 * @param anyKey whether another key than that of the backup, or none, will do
 * @throws BackupError when it would be another key, or the file in the backup is not the one that was backed up
 */
export function keyForRestore(config: Config, path: string, manifest: Manifest, anyKey: boolean): RestoredKey {
  const kept: RestoredKey = { place: config, content: null, former: null }
  const { secret } = manifest
  if (secret.fingerprint === null) return kept
  if (hasKeyOf(config, secret.fingerprint)) return kept
  const here = keyNoteOf(config)
  if (here.kept === 'none' && secret.kept === 'file') {
    const files = keyFilesOf(path, secret, anyKey)
    return files === null ? kept : { place: sourceOf(config, files), ...files }
  }
  if (anyKey) return kept
  const [what, todo] =
    here.kept === 'none'
      ? [`${path} was made with a SECRET_KEY, which is not set`, 'Set it']
      : here.kept === 'setting'
        ? ['SECRET_KEY is another key than the one of the backup', 'Set that one']
        : [`${secretFile(config.dataDir)} is another key than the one of the backup`, 'Put that one in its place']
  throw new BackupError(`${what}. ${todo}, or use --any-key to go on without what the key opens.`)
}

/**
 * Returns the key that opens what is sealed in a backup, for an installation that has a key of its own.
 * @param anyKey whether to go on without that key
 * @returns null without a key
 * @throws BackupError when the key is neither in the backup nor one of the installation's
 */
export function keyOfBackup(config: Config, path: string, manifest: Manifest, anyKey: boolean): SecretSource | null {
  const { secret } = manifest
  if (secret.fingerprint === null) return null
  if (hasKeyOf(config, secret.fingerprint)) return config
  if (secret.kept === 'file') {
    const files = keyFilesOf(path, secret, anyKey)
    return files === null ? null : sourceOf(config, files)
  }
  if (anyKey) return null
  throw new BackupError(
    `${path} was made with another SECRET_KEY. Give that one in SECRET_KEY_FORMER, or use --any-key to go on without what ` +
      'it opens.',
  )
}

type KeyFiles = Omit<RestoredKey, 'place'> & { readonly content: string }

/** Returns the files with keys in a backup; null where they are not what was backed up, and need not be. */
function keyFilesOf(path: string, { fingerprint, former }: KeyNote, anyKey: boolean): KeyFiles | null {
  const content = attempt(() => keyFileOf(secretFile(path), fingerprint!), anyKey)
  if (content === null) return null
  if (former === undefined) return { content, former: null }
  return { content, former: attempt(() => keyFileOf(formerSecretFile(path), former), anyKey) }
}

function sourceOf({ dataDir, formerSecretKeys }: Config, { content, former }: KeyFiles): SecretSource {
  const formers = former === null ? formerSecretKeys : [...formerSecretKeys, former.trimEnd()]
  return { dataDir, secretKey: content.trimEnd(), formerSecretKeys: formers }
}

/** @returns null when the work fails and may */
function attempt(work: () => string, mayFail: boolean): string | null {
  try {
    return work()
  } catch (error) {
    if (mayFail && error instanceof BackupError) return null
    throw error
  }
}

/**
 * Returns the content of a file with a key in a backup.
 * @throws BackupError when it is missing, linked or cut off, or another key than the backup was made with
 */
function keyFileOf(file: string, fingerprint: string): string {
  const hint = `Put the right key into DATA_DIR, or use --any-key to go on without what it opens.`
  try {
    requireOwnFile(file)
    const content = readFileSync(file, 'utf8')
    if (!isSecret(content) || fingerprintOf(content.trimEnd()) !== fingerprint) throw changed(file)
    return content
  } catch (error) {
    if (!(error instanceof BackupError)) throw error
    throw new BackupError(`${error.message} ${hint}`, { cause: error })
  }
}

/**
 * Puts the key of a backup into a data directory that has none, each file in one step. The files keep a second name in
 * the part until `settleRestoredKey` or the end: by it the next process knows that a killed one has restored nothing.
 * @param part a folder in the data directory
 */
export function putRestoredKey(
  { content, former }: Pick<RestoredKey, 'content' | 'former'>,
  part: string,
  dataDir: string,
): void {
  if (former !== null) putFile(formerSecretFile, former, part, dataDir)
  if (content !== null) putFile(secretFile, content, part, dataDir)
  sync(dataDir)
}

function putFile(fileIn: (folder: string) => string, content: string, part: string, dataDir: string): void {
  writeFileSync(fileIn(part), content, { mode: 0o600, flag: 'wx', flush: true })
  try {
    // Unlike a rename, a link never replaces a key that a process has just made.
    linkSync(fileIn(part), fileIn(dataDir))
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error
    throw new SecretFileError(`A process has just made ${fileIn(dataDir)}. Stop it, and restore again.`)
  }
}

/** Lets the key stay, whatever becomes of the process. */
export function settleRestoredKey(part: string): void {
  for (const file of [formerSecretFile, secretFile]) rmSync(file(part), { force: true })
}

/**
 * Tries the key on every sealed value of the restored database.
 * @throws BackupError unless it opens as many of each kind as when the backup was made
 */
export async function requireOpenSeals(db: Queries, { place }: RestoredKey, { seals }: Manifest): Promise<void> {
  for (const [kind, { sealed, opened }] of Object.entries(await countSeals(db, place))) {
    // A backup of an earlier version says nothing: then at least one of each kind is to open.
    const expected = seals === undefined ? Math.min(sealed, 1) : (seals[kind]?.opened ?? 0)
    if (opened >= expected) continue
    throw new BackupError(
      `The key opens ${opened} of ${sealed} sealed values of ${kind}, and opened ${seals === undefined ? 'some' : expected} ` +
        'when the backup was made. Use the key of that time, or --any-key to go on without what it opens.',
    )
  }
}
