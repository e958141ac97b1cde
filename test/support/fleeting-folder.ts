import { chmodSync, existsSync, mkdtempSync, statfsSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

/** Linux keeps what lies there in memory. */
const IN_MEMORY = '/dev/shm'
/** How much has to be free there; with less, tests use the disk. */
const FREE_MIN_BYTES = 1024 ** 3

/**
 * Makes a folder in memory for a run of the tests, which every process of the run finds by `makeFleetingFolder`. The
 * caller removes it in the end, with what the tests have left there.
 * @returns null where the machine has no room for it
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
    // Not everybody may write there.
    return null
  }
}

/**
 * Makes a folder for data that need not outlive the machine: in memory during `npm test`, while there is room, else in
 * the system's temporary folder, so that benchmarks measure the disk.
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
