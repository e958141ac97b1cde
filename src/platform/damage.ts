import { causesOf } from './causes.ts'

/**
 * Codes of damaged data or a disk that fails, of which no other try is the cure. SQLite's result codes, extended ones by
 * their prefix (https://www.sqlite.org/rescode.html), and the SQLSTATEs data_corrupted and index_corrupted of PostgreSQL
 * (https://www.postgresql.org/docs/current/errcodes-appendix.html).
 */
const DAMAGE = /^(?:SQLITE_(?:CORRUPT|NOTADB|IOERR(?!_(?:NOMEM|BLOCKED)))|XX00[12]$)/

/** What the database said of damaged data or of its disk. */
export interface Damage {
  /** Result code of SQLite, or SQLSTATE of PostgreSQL. */
  readonly code: string
  readonly message: string
}

/** Tells whether a code of the database is one of damaged data, or of a disk that fails. */
export function isDamageCode(code: string): boolean {
  return DAMAGE.test(code)
}

/** Returns the damage that an error or one of its causes tells of; null for other errors. */
export function damageIn(error: unknown): Damage | null {
  for (const { code, message } of causesOf(error) as Iterable<Error & { readonly code?: unknown }>) {
    if (typeof code === 'string' && isDamageCode(code)) return { code, message }
  }
  return null
}

/** Says what is damaged and what the operator should do. */
export function damageInWords({ code, message }: Damage): string {
  const said = `${code}: ${message}`
  if (code.startsWith('SQLITE_IOERR'))
    return (
      `The disk of the database fails (${said}): look at the system's log, and see that the disk and its file system are ` +
      'sound. If knowledge doctor finds damage afterwards, restore a backup'
    )
  if (code.startsWith('SQLITE_'))
    return (
      `The database file is damaged (${said}): stop the service, keep the file, check the disk, and restore the newest ` +
      'backup from before the damage'
    )
  return (
    `PostgreSQL has found damaged ${code === 'XX002' ? 'indexes' : 'data'} (${said}): look at its log and check its disk. ` +
    (code === 'XX002' ? 'REINDEX rebuilds an index from its table' : 'Restore a backup from before the damage')
  )
}
