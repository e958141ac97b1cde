import { closeSync, mkdirSync, openSync, statSync } from 'node:fs'
import { dirname, join } from 'node:path'
import BetterSqlite, { type Database as Connection } from 'better-sqlite3'

/** The one file of the embedded database inside `dataDir`. */
export function databaseFile(dataDir: string): string {
  return join(dataDir, 'knowledge.db')
}

/** What `recursive` does, but for folders that cannot be made, such as in /proc, where that never returns. @throws what the system says */
export function makeFolder(folder: string): void {
  try {
    mkdirSync(folder, { mode: 0o700 })
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException
    if (isFolder(folder)) return
    if (code !== 'ENOENT' || isFolder(dirname(folder))) throw error
    makeFolder(dirname(folder))
    mkdirSync(folder, { mode: 0o700 })
  }
}

/** Makes the file for its owner alone; SQLite gives its log and index the mode of the file. One that is there stays. */
export function makeFile(file: string): void {
  try {
    closeSync(openSync(file, 'wx', 0o600))
  } catch {
    // It is there, or SQLite will say why it cannot be.
  }
}

function isFolder(path: string): boolean {
  return statSync(path, { throwIfNoEntry: false })?.isDirectory() ?? false
}

/** The one connection that writes. */
export function openWriter(file: string): Connection {
  const connection = new BetterSqlite(file)
  // The busy timeout would block the thread that answers HTTP; `begin` waits without blocking instead.
  connection.pragma('busy_timeout = 5000')
  connection.pragma('journal_mode = WAL')
  connection.pragma('busy_timeout = 0')
  connection.pragma('synchronous = FULL')
  connection.pragma('foreign_keys = ON')
  connection.pragma('cache_size = -65536')
  return connection
}

/** A connection that reads, beside any writer. */
export function openReader(file: string): Connection {
  const connection = new BetterSqlite(file, { readonly: true, fileMustExist: true })
  connection.pragma('busy_timeout = 5000')
  connection.pragma('cache_size = -65536')
  connection.pragma('mmap_size = 268435456')
  return connection
}
