import { randomBytes } from 'node:crypto'
import {
  closeSync,
  fsyncSync,
  linkSync,
  mkdirSync,
  openSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { join } from 'node:path'

const NAME = 'secret.key'
/** The key before, while it is being replaced. */
const FORMER_NAME = 'secret.key.former'
/** Base64url of 32 random bytes, and a line end. */
const CONTENT = /^[\w-]{43}\n$/

/** Fewest characters of a secret key. A shorter one could be guessed. */
export const SECRET_CHARACTERS_MIN = 32

/** Returns the path of the file with the secret key in a data directory. */
export function secretFile(dataDir: string): string {
  return join(dataDir, NAME)
}

/** Returns the path of the file with the key before. */
export function formerSecretFile(dataDir: string): string {
  return join(dataDir, FORMER_NAME)
}

/** Tells whether a file with this content holds a key. */
export function isSecret(content: string): boolean {
  return CONTENT.test(content)
}

/** Warning for a database that processes on several machines may share. */
export const SECRET_KEY_NEEDED =
  'DATABASE_URL is set and SECRET_KEY is not: each machine makes its own key and cannot read what ' +
  'another has sealed. Set the same SECRET_KEY for all of them'

/** The secret key file cannot be read or made. The message tells the operator what to do. */
export class SecretFileError extends Error {
  override readonly name = 'SecretFileError'
}

/**
 * Reads the secret from `secret.key` in the data directory. Creates a missing file in one step, so that processes that
 * start together all read the same secret.
 * @throws SecretFileError
 */
export function readSecretFile(dataDir: string): string {
  const path = secretFile(dataDir)
  const secret = attempt(path, () => read(path) ?? (make(dataDir, path), read(path)))
  if (secret !== null && isSecret(secret)) return secret.trimEnd()
  throw noKey(path)
}

/**
 * Checks the file without creating it.
 * @returns false when the file is missing
 * @throws SecretFileError when the file is not usable
 */
export function checkSecretFile(dataDir: string): boolean {
  const path = secretFile(dataDir)
  const secret = attempt(path, () => read(path))
  if (secret !== null && !isSecret(secret)) throw noKey(path)
  return secret !== null
}

/** Returns the key before, which lies beside the key while that is being replaced. @throws SecretFileError */
export function readFormerSecret(dataDir: string): readonly string[] {
  const path = formerSecretFile(dataDir)
  const secret = attempt(path, () => read(path))
  if (secret === null) return []
  if (!isSecret(secret)) throw noKey(path)
  return [secret.trimEnd()]
}

/**
 * Puts a new key in the place of the one in the file, and the present one beside it, where it opens what it has sealed.
 * After a crash in between, the present key is in both places.
 * @throws SecretFileError when there is no key, or the one before has not been forgotten yet
 */
export function replaceSecretFile(dataDir: string): void {
  const [path, formerPath] = [secretFile(dataDir), formerSecretFile(dataDir)]
  const secret = attempt(path, () => read(path))
  if (secret === null)
    throw new SecretFileError(`There is no key in ${path} yet: the service makes one when it needs it.`)
  if (!isSecret(secret)) throw noKey(path)
  const isPlaced = attempt(formerPath, () => place(formerPath, secret))
  if (!isPlaced)
    throw new SecretFileError(
      `${formerPath} is there already: seal all values anew and forget it before another new key.`,
    )
  attempt(path, () => {
    const draft = draftOf(path)
    writeFileSync(draft, newSecret(), { mode: 0o600, flag: 'wx', flush: true })
    renameSync(draft, path)
    syncFolder(dataDir)
  })
}

/** Deletes the key before. */
export function forgetFormerSecret(dataDir: string): void {
  const path = formerSecretFile(dataDir)
  attempt(path, () => {
    rmSync(path, { force: true })
    syncFolder(dataDir)
  })
}

const noKey = (path: string): SecretFileError =>
  new SecretFileError(
    `${path} does not hold a key. Bring it back from a backup, or set SECRET_KEY. If you delete it the service makes a ` +
      'new one, which does not open what is sealed: authenticator apps then have to be set up again.',
  )

/** Runs work on the file. @throws SecretFileError when the work fails */
function attempt<T>(path: string, work: () => T): T {
  try {
    return work()
  } catch (error) {
    const { code, message } = error as { code?: string; message: string }
    throw new SecretFileError(`Cannot keep a secret key in ${path} (${code ?? message}). Set SECRET_KEY instead.`, {
      cause: error,
    })
  }
}

/** Reads the file; null when it is missing. */
function read(path: string): string | null {
  try {
    return readFileSync(path, 'utf8')
  } catch (error) {
    if ((error as { code?: string }).code === 'ENOENT') return null
    throw error
  }
}

function make(dataDir: string, path: string): void {
  mkdirSync(dataDir, { recursive: true, mode: 0o700 })
  place(path, newSecret())
}

/** Writes a new file in one step. @returns false when there is one already, also one that was made meanwhile */
function place(path: string, content: string): boolean {
  const draft = draftOf(path)
  try {
    writeFileSync(draft, content, { mode: 0o600, flag: 'wx', flush: true })
    // Unlike a rename, a link never replaces a file that another process has just made.
    linkSync(draft, path)
    return true
  } catch (error) {
    if ((error as { code?: string }).code !== 'EEXIST') throw error
    return false
  } finally {
    rmSync(draft, { force: true })
  }
}

const draftOf = (path: string): string => `${path}.${process.pid}-${randomBytes(4).toString('hex')}`

const newSecret = (): string => `${randomBytes(32).toString('base64url')}\n`

/** Waits until the names in a folder are on disk. Windows cannot sync folders, and need not. */
function syncFolder(folder: string): void {
  if (process.platform === 'win32') return
  const handle = openSync(folder, 'r')
  try {
    fsyncSync(handle)
  } finally {
    closeSync(handle)
  }
}
