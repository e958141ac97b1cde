import { closeSync, mkdirSync, openSync, statSync } from 'node:fs'
import { dirname, join } from 'node:path'
import BetterSqlite, { type Database as Connection } from 'better-sqlite3'

/** The file of the embedded database in `dataDir`. */
export function databaseFile(dataDir: string): string {
  return join(dataDir, 'knowledge.db')
}

/**
 * Creates a folder and its parents. Node's `recursive` option never returns where folders cannot be made, such as in
 * /proc. @throws the system's error
 */
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

/**
 * Creates the file, readable by its owner only; SQLite gives its log and index the same mode. An existing file keeps
 * its mode.
 */
export function makeFile(file: string): void {
  try {
    closeSync(openSync(file, 'wx', 0o600))
  } catch {
    // The file exists, or SQLite reports why it cannot be made.
  }
}

function isFolder(path: string): boolean {
  return statSync(path, { throwIfNoEntry: false })?.isDirectory() ?? false
}

/** The one connection that writes. */
export function openWriter(file: string): Connection {
  const connection = new BetterSqlite(file)
  // Only for opening: a busy timeout blocks the thread that answers HTTP. `begin` waits without blocking.
  connection.pragma('busy_timeout = 5000')
  connection.pragma('journal_mode = WAL')
  connection.pragma('busy_timeout = 0')
  connection.pragma('synchronous = FULL')
  connection.pragma('foreign_keys = ON')
  connection.pragma('cache_size = -65536')
  return connection
}

/** A connection that reads, also while another one writes. */
export function openReader(file: string): Connection {
  const connection = new BetterSqlite(file, { readonly: true, fileMustExist: true })
  connection.pragma('busy_timeout = 5000')
  connection.pragma('cache_size = -65536')
  connection.pragma('mmap_size = 268435456')
  return connection
}
