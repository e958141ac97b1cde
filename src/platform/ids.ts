import { v7 } from 'uuid'

/** A new identifier: UUID version 7 (RFC 9562), so that ids made later sort later, those of one millisecond included. */
export function newId(): string {
  return v7()
}

/**
 * A new identifier that sorts behind another one, also when the clock was set back since that was made.
 * @param id made by this function or `newId`; null for none
 */
export function newIdAfter(id: string | null): string {
  const made = newId()
  if (id === null || made > id) return made
  return v7({ msecs: Number.parseInt(id.slice(0, 8) + id.slice(9, 13), 16) + 1 })
}
