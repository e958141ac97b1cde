import { readFileSync } from 'node:fs'

/** How many files and connections the system lets this process have open; null where it does not say (Linux does). */
export function openFilesMax(): number | null {
  try {
    const found = /^Max open files\s+(\d+)/m.exec(readFileSync('/proc/self/limits', 'utf8'))
    return found === null ? null : Number(found[1])
  } catch {
    return null
  }
}
