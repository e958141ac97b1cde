import { createHash } from 'node:crypto'
import { createReadStream, readFileSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { DialectName } from '../../platform/database/portable.ts'

const NAME = 'backup.json'
const FORMAT = 1

/** The file with the data, by kind of database. */
export const DATA_FILES = { sqlite: 'knowledge.db', postgres: 'knowledge.pgdump' } as const satisfies Readonly<
  Record<DialectName, string>
>

/** Names that backups get in a folder of several: they sort as their times do, and suit every file system. */
export const BACKUP_NAME = /^backup-\d{4}-\d\d-\d\dT\d\d-\d\d-\d\d\.\d{3}Z$/

/** The name of a backup that began at a time. */
export function backupName(begunAt: Date): string {
  return `backup-${begunAt.toISOString().replaceAll(':', '-')}`
}

/** A backup or restore that cannot be made. The message tells the operator what to do. */
export class BackupError extends Error {
  override readonly name = 'BackupError'
}

/** What a backup says of itself, in `backup.json`. */
export interface Manifest {
  readonly format: typeof FORMAT
  /** Version of the program that made it. */
  readonly program: string
  /** Everything that was acknowledged before this time is in the backup (RFC 3339). */
  readonly begun_at: string
  readonly database: DialectName
  /** Major version of the program that wrote a dump of PostgreSQL; null for SQLite. */
  readonly dumped_by: number | null
  /** The file with the data, of `bytes` bytes. */
  readonly file: string
  readonly bytes: number
  readonly sha256: string
  readonly migrations: readonly string[]
  /** Rows of each table. */
  readonly tables: Readonly<Record<string, number>>
  readonly secret: SecretNote
}

/** The secret key that opens what the backup has sealed. */
export interface SecretNote {
  /** Whether the key is in the backup, was a setting, or did not exist. */
  readonly kept: 'file' | 'setting' | 'none'
  /** By which two keys can be compared; null without a key. */
  readonly fingerprint: string | null
}

export function writeManifest(folder: string, manifest: Omit<Manifest, 'format'>): void {
  const text = `${JSON.stringify({ format: FORMAT, ...manifest }, null, 2)}\n`
  writeFileSync(join(folder, NAME), text, { mode: 0o600, flag: 'wx', flush: true })
}

/**
 * @returns null when the folder is not a backup, or does not say of itself what every backup says
 * @throws BackupError when a later version of the program made it
 */
export function readManifest(folder: string): Manifest | null {
  const said = readSaid(folder)
  if (typeof said?.format !== 'number') return null
  if (said.format > FORMAT)
    throw new BackupError(`A newer version of this program made ${folder}. Restore it with that version.`)
  return isManifest(said) ? said : null
}

/** Whether a folder is a backup, also one of a later version of the program. */
export function isBackup(folder: string): boolean {
  const said = readSaid(folder)
  return said !== null && (isManifest(said) || Number(said.format) > FORMAT)
}

type Said = { readonly [Name in keyof Manifest]?: unknown }

function readSaid(folder: string): Said | null {
  try {
    const said: unknown = JSON.parse(readFileSync(join(folder, NAME), 'utf8'))
    return typeof said === 'object' && said !== null ? said : null
  } catch {
    return null
  }
}

/** The data of a backup is one file in its own folder, whatever else somebody may have written into it. */
function isManifest(said: Said): said is Manifest {
  const { format, database, file, bytes, sha256, migrations, tables, secret, begun_at: begunAt } = said
  return (
    format === FORMAT &&
    typeof database === 'string' &&
    Object.hasOwn(DATA_FILES, database) &&
    file === DATA_FILES[database as DialectName] &&
    [bytes, sha256, begunAt].map((value) => typeof value).join() === 'number,string,string' &&
    Array.isArray(migrations) &&
    migrations.every((name) => typeof name === 'string') &&
    [tables, secret].every((value) => typeof value === 'object' && value !== null)
  )
}

/** The length of a file in bytes, and the SHA-256 of its content in hexadecimal digits. */
export async function digestOf(file: string): Promise<{ bytes: number; sha256: string }> {
  const hash = createHash('sha256')
  for await (const chunk of createReadStream(file, { highWaterMark: 1024 * 1024 })) hash.update(chunk as Buffer)
  return { bytes: statSync(file).size, sha256: hash.digest('hex') }
}
