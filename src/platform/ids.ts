import { v7 } from 'uuid'

/** A new identifier: UUID version 7 (RFC 9562). Later ids sort later, even within one millisecond. */
export function newId(): string {
  return v7()
}

/**
 * A new identifier that sorts after another one, even if the clock was set back in between.
 * @param id made by this function or `newId`; null for none
 */
export function newIdAfter(id: string | null): string {
  const made = newId()
  if (id === null || made > id) return made
  return v7({ msecs: Number.parseInt(id.slice(0, 8) + id.slice(9, 13), 16) + 1 })
}
