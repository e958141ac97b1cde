import { execFile, spawn } from 'node:child_process'
import { existsSync, globSync } from 'node:fs'
import { delimiter, join } from 'node:path'
import type { Readable } from 'node:stream'
import { promisify } from 'node:util'
import { withoutPooling } from '../../platform/database/postgres-address.ts'
import { BackupError } from './manifest.ts'

/** Folders in which packages put the programs of each version: Debian, Red Hat, Homebrew, the macOS app. */
const USUAL_FOLDERS = [
  '/usr/lib/postgresql/*/bin',
  '/usr/pgsql-*/bin',
  '/opt/homebrew/opt/{libpq,postgresql@*}/bin',
  '/usr/local/opt/{libpq,postgresql@*}/bin',
  '/Applications/Postgres.app/Contents/Versions/*/bin',
]
const SUFFIX = process.platform === 'win32' ? '.exe' : ''

/** The folder of pg_dump and pg_restore, and their major version. */
export interface PostgresPrograms {
  readonly folder: string
  readonly major: number
}

/**
 * Finds pg_dump and pg_restore of a version, or else of the next newer one: they refuse servers and dumps newer than
 * themselves.
 * @param major major version of the server or the dump
 * @param setting the folder that has them; null to look in the usual folders
 * @throws BackupError that says what to install
 */
export async function findPostgresPrograms(major: number, setting: string | null): Promise<PostgresPrograms> {
  const perFolder = await Promise.all((setting === null ? usualFolders() : [setting]).map(programsIn))
  const byVersion = perFolder.filter((programs) => programs !== null).toSorted((a, b) => a.major - b.major)
  const suitable = byVersion.find((programs) => programs.major >= major)
  if (suitable !== undefined) return suitable
  const newest = byVersion.at(-1)
  const where = setting === null ? 'on this machine' : `in ${setting}, which BACKUP_POSTGRES_BIN names`
  const what = newest === undefined ? `No pg_dump was found ${where}` : `pg_dump ${newest.major} is the newest ${where}`
  throw new BackupError(
    `${what}, and PostgreSQL ${major} needs pg_dump and pg_restore ${major} or newer. Install the client of that version ` +
      `(Debian, with PostgreSQL's own packages: postgresql-client-${major}), or set BACKUP_POSTGRES_BIN to its folder.`,
  )
}

function usualFolders(): string[] {
  const path = (process.env.PATH ?? '').split(delimiter).filter((folder) => folder !== '')
  return [...new Set([...path, ...globSync(USUAL_FOLDERS)])]
}

/** @returns null where one of the programs is missing or does not run */
async function programsIn(folder: string): Promise<PostgresPrograms | null> {
  if (!['pg_dump', 'pg_restore'].every((name) => existsSync(join(folder, name + SUFFIX)))) return null
  try {
    const { stdout } = await promisify(execFile)(join(folder, `pg_dump${SUFFIX}`), ['--version'])
    // "pg_dump (PostgreSQL) 15.18 (Debian 15.18-0+deb12u1)"
    const version = /\(PostgreSQL\) (\d+)/.exec(stdout)
    return version === null ? null : { folder, major: Number(version[1]) }
  } catch {
    return null
  }
}

interface Run {
  readonly databaseUrl: string | null
  readonly signal?: AbortSignal
  /** Reads what the program writes to standard output. */
  readonly read?: (output: Readable) => Promise<void>
}

/**
 * Runs pg_dump or pg_restore to its end. The password goes into its environment, which other users cannot read, and not
 * into its arguments.
 * @throws BackupError with its first error on standard error, or else its last line there
 */
export async function runPostgresProgram(
  { folder }: PostgresPrograms,
  name: 'pg_dump' | 'pg_restore',
  args: readonly string[],
  { databaseUrl, signal, read }: Run,
): Promise<void> {
  const { address, password } = databaseUrl === null ? { address: null, password: null } : withoutPassword(databaseUrl)
  const all = address === null ? args : [...args, `--dbname=${address}`]
  const env = { ...process.env, LC_ALL: 'C', ...(password === null ? {} : { PGPASSWORD: password }) }
  const child = spawn(join(folder, name + SUFFIX), all, {
    env,
    signal,
    stdio: ['ignore', read === undefined ? 'ignore' : 'pipe', 'pipe'],
  })
  let errors = ''
  child.stderr!.setEncoding('utf8').on('data', (text: string) => (errors = (errors + text).slice(-8_000)))
  const ended = new Promise<number | null>((resolve, reject) => {
    child.once('error', reject)
    child.once('close', resolve)
  })
  const [code] = await Promise.all([ended, read?.(child.stdout!)])
  if (code === 0) return
  const reason =
    errors
      .trim()
      .split('\n')
      .find((line) => line.includes('error:')) ?? errors.trim().split('\n').at(-1)
  throw new BackupError(`${name} failed: ${reason?.replace(/^pg_\w+: (?:error: )?/, '') || `exit code ${code}`}`)
}

/** Takes the password out of an address, and the parameters that libpq does not know: only our driver does. */
function withoutPassword(databaseUrl: string): { address: string; password: string | null } {
  const url = new URL(withoutPooling(databaseUrl))
  const password = url.searchParams.get('password') ?? (url.password === '' ? null : decodeURIComponent(url.password))
  url.password = ''
  url.searchParams.delete('password')
  url.searchParams.delete('uselibpqcompat')
  if (url.searchParams.get('sslmode') === 'no-verify') url.searchParams.set('sslmode', 'require')
  return { address: url.href, password }
}
