import { v7 } from 'uuid'

/** A new identifier: UUID version 7 (RFC 9562), so that ids made later sort later. */
export function newId(): string {
  return v7()
}
