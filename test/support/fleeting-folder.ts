import { chmodSync, existsSync, mkdtempSync, statfsSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

/** Folder whose files Linux keeps in memory. */
const IN_MEMORY = '/dev/shm'
/** Bytes that must be free in that folder; with less, tests use the disk. */
const FREE_MIN_BYTES = 1024 ** 3

/**
 * Makes a folder in memory for a run of the tests. Every process of the run finds the folder by `makeFleetingFolder`.
 * The caller removes it at the end, with the files that the tests left.
 * @returns null where the machine has too little memory free
 */
export function makeRunFolder(): string | null {
  if (!hasRoom(IN_MEMORY)) return null
  try {
    const folder = mkdtempSync(join(IN_MEMORY, 'knowledge-tests-'))
    // When the tests run as root, PostgreSQL runs as another user.
    chmodSync(folder, 0o755)
    process.env.TEST_RUN_FOLDER = folder
    return folder
  } catch {
    // Some users may not write there.
    return null
  }
}

/**
 * Makes a folder for data that need not outlive the machine. During `npm test` it is in memory, while there is room;
 * otherwise it is in the system's temporary folder, so that benchmarks measure the disk.
 */
export function makeFleetingFolder(prefix: string): string {
  const inMemory = process.env.TEST_RUN_FOLDER
  return mkdtempSync(join(inMemory !== undefined && hasRoom(inMemory) ? inMemory : tmpdir(), prefix))
}

function hasRoom(folder: string): boolean {
  if (!existsSync(folder)) return false
  const { bavail, bsize } = statfsSync(folder)
  return bavail * bsize >= FREE_MIN_BYTES
}
