import { closeSync, mkdirSync, openSync, statSync } from 'node:fs'
import { dirname, join } from 'node:path'
import BetterSqlite, { type Database as Connection } from 'better-sqlite3'

/** Returns the path of the embedded database's file in `dataDir`. */
export function databaseFile(dataDir: string): string {
  return join(dataDir, 'knowledge.db')
}

/**
 * Tells whether there may be a database in `dataDir`. It is true for a folder that this user may not read: opening the
 * file then says so.
 */
export function hasDatabase(dataDir: string): boolean {
  try {
    return statSync(databaseFile(dataDir), { throwIfNoEntry: false }) !== undefined
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EACCES'
  }
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

/** Kibibytes of pages in the cache of a connection that answers requests. */
const CACHE_KIB = 65_536
/** Kibibytes of pages in the cache of a connection that reads whole tables once. */
const CACHE_ONCE_KIB = 4_096

/** Opens the one connection that writes. */
export function openWriter(file: string): Connection {
  const connection = new BetterSqlite(file)
  // Only for opening: a busy timeout blocks the thread that answers HTTP. `begin` waits without blocking.
  connection.pragma('busy_timeout = 5000')
  connection.pragma('journal_mode = WAL')
  connection.pragma('busy_timeout = 0')
  connection.pragma('synchronous = FULL')
  connection.pragma('foreign_keys = ON')
  connection.pragma(`cache_size = -${CACHE_KIB}`)
  // Deleted content is overwritten with zeros, so that no free page keeps it.
  connection.pragma('secure_delete = ON')
  return connection
}

/**
 * Opens a connection that reads, also while another one writes.
 * @param readsOnce whether it reads whole tables once: it would fill a large cache with pages that it never needs again
 */
export function openReader(file: string, readsOnce = false): Connection {
  const connection = new BetterSqlite(file, { readonly: true, fileMustExist: true })
  connection.pragma('busy_timeout = 5000')
  connection.pragma(`cache_size = -${readsOnce ? CACHE_ONCE_KIB : CACHE_KIB}`)
  connection.pragma('mmap_size = 268435456')
  return connection
}
