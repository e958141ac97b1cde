import { randomBytes } from 'node:crypto'
import { linkSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

const NAME = 'secret.key'
/** Base64url of 32 random bytes, and a line end. */
const CONTENT = /^[\w-]{43}\n$/

/** Fewest characters of a secret key. A shorter one could be guessed. */
export const SECRET_CHARACTERS_MIN = 32

/** Returns the path of the file with the secret key in a data directory. */
export function secretFile(dataDir: string): string {
  return join(dataDir, NAME)
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
  if (secret !== null && CONTENT.test(secret)) return secret.trimEnd()
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
  if (secret !== null && !CONTENT.test(secret)) throw noKey(path)
  return secret !== null
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
  const draft = `${path}.${process.pid}-${randomBytes(4).toString('hex')}`
  try {
    writeFileSync(draft, `${randomBytes(32).toString('base64url')}\n`, { mode: 0o600, flag: 'wx', flush: true })
    // Unlike a rename, a link never replaces a file that another process has just made.
    linkSync(draft, path)
  } catch (error) {
    if ((error as { code?: string }).code !== 'EEXIST') throw error
  } finally {
    rmSync(draft, { force: true })
  }
}
