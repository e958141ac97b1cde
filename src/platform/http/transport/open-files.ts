import { readFileSync } from 'node:fs'

/**
 * Returns how many files and connections the system lets this process open; null if the system does not say (Linux
 * does).
 */
export function openFilesMax(): number | null {
  try {
    const line = /^Max open files\s+(\d+)/m.exec(readFileSync('/proc/self/limits', 'utf8'))
    return line === null ? null : Number(line[1])
  } catch {
    return null
  }
}
