import { createHash } from 'node:crypto'
import { invalid } from '../../platform/faults.ts'

/** A section's search, as far as it decides the order of its hits. */
type Searched = readonly unknown[]

const PLACE_MAX = 10_000_000

/** A cursor to the hit at `offset`. It holds for the same search alone. */
export function cursorAt(offset: number, searched: Searched): string {
  return `${offset.toString(36)}-${fingerprintOf(searched)}`
}

/**
 * The offset of a cursor; 0 without one.
 * @throws Fault invalid at `loc` when the cursor is not from this search
 */
export function offsetOf(cursor: string | undefined, searched: Searched, loc: readonly string[]): number {
  if (cursor === undefined) return 0
  const [place, fingerprint, ...more] = cursor.split('-')
  const offset = /^[0-9a-z]{1,6}$/.test(place) ? Number.parseInt(place, 36) : Infinity
  if (offset > PLACE_MAX || more.length > 0 || fingerprint !== fingerprintOf(searched)) {
    throw invalid(loc, 'cursor_invalid', 'Input should be a cursor from a previous answer to the same search')
  }
  return offset
}

function fingerprintOf(searched: Searched): string {
  return createHash('sha256').update(JSON.stringify(searched)).digest('base64url').replaceAll('-', '_').slice(0, 12)
}
