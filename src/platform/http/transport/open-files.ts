import { readFileSync } from 'node:fs'

/** Most files and connections that the system lets this process open; null if the system does not say (Linux does). */
export function openFilesMax(): number | null {
  try {
    const found = /^Max open files\s+(\d+)/m.exec(readFileSync('/proc/self/limits', 'utf8'))
    return found === null ? null : Number(found[1])
  } catch {
    return null
  }
}
