import { createHash } from 'node:crypto'
import { createReadStream, readFileSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { VERSION_IN_WORDS } from '../../platform/version.ts'
import type { DialectName } from '../../platform/database/portable.ts'
import type { KeyNote } from '../seals/key-note.ts'
import type { SealCount } from '../seals/sealed.ts'

const NAME = 'backup.json'
const FORMAT = 1

/** Names of the file with the data, by kind of database. */
export const DATA_FILES = { sqlite: 'knowledge.db', postgres: 'knowledge.pgdump' } as const satisfies Readonly<
  Record<DialectName, string>
>

/** Names of backups in a folder of several. They sort by time, and every file system allows them. */
export const BACKUP_NAME = /^backup-\d{4}-\d\d-\d\dT\d\d-\d\d-\d\d\.\d{3}Z$/

/** Returns the name of a backup that began at a time. */
export function backupName(begunAt: Date): string {
  return `backup-${begunAt.toISOString().replaceAll(':', '-')}`
}

/** Tells that a backup or restore failed. The message tells the operator what to do. */
export class BackupError extends Error {
  override readonly name = 'BackupError'
}

/** Length of a file in bytes, and the SHA-256 of its content in hexadecimal digits. */
export type Digest = Pick<Manifest, 'bytes' | 'sha256'>

/** The description of a backup, in its `backup.json`. */
export interface Manifest {
  readonly format: typeof FORMAT
  /** Version of the program that made the backup. */
  readonly program: string
  /** Commit of that program; null where it did not tell, absent in backups of earlier versions. */
  readonly commit?: string | null
  /** Every write that was acknowledged before this time is in the backup (RFC 3339). */
  readonly begun_at: string
  readonly database: DialectName
  /** Major version of the program that wrote a dump of PostgreSQL; null for SQLite. */
  readonly dumped_by: number | null
  /** Name of the file with the data, which has `bytes` bytes. */
  readonly file: string
  readonly bytes: number
  readonly sha256: string
  readonly migrations: readonly string[]
  /** Rows of each table. */
  readonly tables: Readonly<Record<string, number>>
  /** The secret key of the installation. A key that is a file is in the backup too, and has this fingerprint. */
  readonly secret: KeyNote
  /** What the key opened when the backup was made, by kind of sealed value. Earlier versions did not note it. */
  readonly seals?: Readonly<Record<string, SealCount>>
}

/** Returns the path of a backup's description. */
export function manifestFile(folder: string): string {
  return join(folder, NAME)
}

export function writeManifest(folder: string, manifest: Omit<Manifest, 'format'>): void {
  const text = `${JSON.stringify({ format: FORMAT, ...manifest }, null, 2)}\n`
  writeFileSync(manifestFile(folder), text, { mode: 0o600, flag: 'wx', flush: true })
}

/**
 * Reads the description of a backup.
 * @returns null when the folder is not a backup, or its description lacks a member
 * @throws BackupError when a later version of the program made it
 */
export function readManifest(folder: string): Manifest | null {
  const members = readMembers(folder)
  if (typeof members?.format !== 'number') return null
  if (members.format > FORMAT)
    throw new BackupError(
      `${madeBy(members)} made ${folder}, which is newer than this one, ${VERSION_IN_WORDS}. Restore it with that version.`,
    )
  return isManifest(members) ? members : null
}

/** Says in words which program made a backup, as far as its description tells. */
function madeBy({ program, commit }: Members): string {
  const version = typeof program === 'string' ? `Version ${program} of this program` : 'A version of this program'
  return typeof commit === 'string' ? `${version} (commit ${commit})` : version
}

/** Tells whether a folder is a backup. One of a later version of the program counts too. */
export function isBackup(folder: string): boolean {
  const members = readMembers(folder)
  return members !== null && (isManifest(members) || Number(members.format) > FORMAT)
}

type Members = { readonly [Name in keyof Manifest]?: unknown }

function readMembers(folder: string): Members | null {
  try {
    const members: unknown = JSON.parse(readFileSync(manifestFile(folder), 'utf8'))
    return typeof members === 'object' && members !== null ? members : null
  } catch {
    return null
  }
}

/**
 * Tells whether a description is complete, and its file is in the folder: an edited description must not name another
 * path.
 */
function isManifest(members: Members): members is Manifest {
  const { format, database, file, bytes, sha256, migrations, tables, secret, seals, begun_at: begunAt } = members
  return (
    format === FORMAT &&
    typeof database === 'string' &&
    Object.hasOwn(DATA_FILES, database) &&
    file === DATA_FILES[database as DialectName] &&
    [bytes, sha256, begunAt].map((value) => typeof value).join() === 'number,string,string' &&
    Array.isArray(migrations) &&
    migrations.every((name) => typeof name === 'string') &&
    [tables, secret, seals ?? {}].every((value) => typeof value === 'object' && value !== null) &&
    isKeyNote(secret as KeyNote)
  )
}

/** Tells whether a note says of a key what belongs together: a key that was kept has a fingerprint. */
function isKeyNote({ kept, fingerprint, former }: { readonly [Name in keyof KeyNote]?: unknown }): boolean {
  if (kept === 'none') return fingerprint === null
  const isKept = (kept === 'file' || kept === 'setting') && typeof fingerprint === 'string'
  return isKept && (former === undefined || typeof former === 'string')
}

/** Returns the length of a file in bytes, and the SHA-256 of its content in hexadecimal digits. */
export async function digestOf(file: string): Promise<Digest> {
  const hash = createHash('sha256')
  for await (const chunk of createReadStream(file, { highWaterMark: 1024 * 1024 })) hash.update(chunk as Buffer)
  return { bytes: statSync(file).size, sha256: hash.digest('hex') }
}
