import type { IndexChange, ValueChange } from '../engine.ts'

/** Returns the id of the document that a change is of. */
export function idOfChange(change: IndexChange | ValueChange): string {
  if ('put' in change) return change.put.id
  if ('remove' in change) return change.remove
  return 'unreadable' in change ? change.unreadable : change.id
}
