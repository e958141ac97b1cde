import { randomBytes } from 'node:crypto'

export const DRAFT_ENDING = '.draft'

/**
 * Makes a name for an unfinished file that no other process or call takes. `SnapshotFiles.removeDrafts` deletes the
 * files with such names that an ended process left behind.
 */
export function draftName(name: string): string {
  return `${name}.${process.pid}-${randomBytes(4).toString('hex')}${DRAFT_ENDING}`
}
