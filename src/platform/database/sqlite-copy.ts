import { makeFile, openReader } from './sqlite-file.ts'

/**
 * Copies a SQLite database as it is at this moment, also while others write: the copy is read in one transaction, which
 * keeps no writer waiting. Blocks the thread until the copy is complete.
 * @param target a new file, which only its owner may read; it has no log beside it
 */
export function copySqlite(file: string, target: string): void {
  makeFile(target)
  const connection = openReader(file)
  try {
    connection.prepare('vacuum into ?').run(target)
  } finally {
    connection.close()
  }
}
