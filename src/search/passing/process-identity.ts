import { randomUUID } from 'node:crypto'
import { programHash } from '../memory/index/snapshots/program.ts'
import type { ProcessIdentity } from './frames.ts'

/**
 * What this process tells others about itself. Called once, at the start, before an upgrade may replace the files.
 * @param warn told when the program cannot be read; then no other process counts as one that runs the same
 */
export async function processIdentity(warn: (error: unknown) => void): Promise<ProcessIdentity> {
  const instance = randomUUID()
  const program = await programHash().catch((error: unknown) => {
    warn(error)
    return instance
  })
  return { program, instance }
}
