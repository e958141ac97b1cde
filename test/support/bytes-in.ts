import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'

/**
 * Returns the bytes of all files in a folder; none where there is no folder. A service may write and delete in it
 * meanwhile.
 */
export function bytesIn(folder: string): string {
  return present(() => readdirSync(folder), [])
    .map((name) => present(() => readFileSync(join(folder, name), 'latin1'), ''))
    .join(' ')
}

/**
 * Reads a file or folder that may have been deleted since it was listed.
 * @param absent the value for a deleted one
 */
function present<T>(read: () => T, absent: T): T {
  try {
    return read()
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error
    return absent
  }
}
