import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'

/** The bytes of all files in a folder that a service may write and delete in meanwhile; none where there is no folder. */
export function bytesIn(folder: string): string {
  return present(() => readdirSync(folder), [])
    .map((name) => present(() => readFileSync(join(folder, name), 'latin1'), ''))
    .join(' ')
}

/** Reads what may have been deleted since it was listed. */
function present<T>(read: () => T, absent: T): T {
  try {
    return read()
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error
    return absent
  }
}
