import { randomUUID } from 'node:crypto'
import { programHash } from '../memory/index/snapshots/program.ts'
import type { ProcessIdentity } from './frames.ts'

/**
 * Returns the identity by which other processes know this one. Call it once, at the start, before an upgrade may
 * replace the files of the program.
 * @param warn called with the error if the program cannot be read. Then no other process counts as one with the same
 *   program
 */
export async function processIdentity(warn: (error: unknown) => void): Promise<ProcessIdentity> {
  const instance = randomUUID()
  const program = await programHash().catch((error: unknown) => {
    warn(error)
    return instance
  })
  return { program, instance }
}
