import { v7 } from 'uuid'

/** Returns a new identifier: UUID version 7 (RFC 9562). Later ids sort later, even within one millisecond. */
export function newId(): string {
  return v7()
}

/**
 * Returns a new identifier that sorts after another one, even if the clock was set back in between.
 * @param earlier identifier of this function or of `newId`; null for none
 */
export function newIdAfter(earlier: string | null): string {
  const id = newId()
  if (earlier === null || id > earlier) return id
  return v7({ msecs: Number.parseInt(earlier.slice(0, 8) + earlier.slice(9, 13), 16) + 1 })
}
