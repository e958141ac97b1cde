import { randomBytes } from 'node:crypto'
import { linkSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

const NAME = 'secret.key'
/** Base64url of 32 random bytes, and the end of its line. */
const FORM = /^[\w-]{43}\n$/

/** Said of a database that processes on several machines may share. */
export const SECRET_KEY_NEEDED =
  'DATABASE_URL is set and SECRET_KEY is not: each machine keeps a key of its own, and what one signs or seals is ' +
  'nothing to the others. Set the same SECRET_KEY for all of them'

/** The file of the secret key cannot be read or made; the message tells the operator what to do. */
export class SecretFileError extends Error {
  override readonly name = 'SecretFileError'
}

/**
 * The secret in `secret.key` of the data directory. Made when it is missing, whole at once: of processes that start
 * together one makes it and all read the same.
 * @throws SecretFileError
 */
export function readSecretFile(dataDir: string): string {
  const path = join(dataDir, NAME)
  const secret = attempt(path, () => read(path) ?? (make(dataDir, path), read(path)))
  if (secret !== null && FORM.test(secret)) return secret.trimEnd()
  throw noKey(path)
}

/**
 * The same without making it.
 * @returns false when there is none yet
 * @throws SecretFileError when there is one that is no good
 */
export function checkSecretFile(dataDir: string): boolean {
  const path = join(dataDir, NAME)
  const secret = attempt(path, () => read(path))
  if (secret !== null && !FORM.test(secret)) throw noKey(path)
  return secret !== null
}

const noKey = (path: string): SecretFileError =>
  new SecretFileError(
    `${path} does not hold a key. Bring it back from a backup, or set SECRET_KEY. Deleting it makes a new one: ` +
      'everybody signs in again, and so does every assistant.',
  )

function attempt<T>(path: string, work: () => T): T {
  try {
    return work()
  } catch (error) {
    const { code, message } = error as { code?: string; message: string }
    throw new SecretFileError(`Cannot keep a secret key in ${path} (${code ?? message}). Set SECRET_KEY instead.`)
  }
}

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
    // Unlike a renaming, a link never takes the place of what somebody else has made meanwhile.
    linkSync(draft, path)
  } catch (error) {
    if ((error as { code?: string }).code !== 'EEXIST') throw error
  } finally {
    rmSync(draft, { force: true })
  }
}
