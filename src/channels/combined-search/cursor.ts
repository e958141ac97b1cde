import { createHash } from 'node:crypto'
import { invalid } from '../../platform/faults.ts'

/** The parts of a section's search that decide the order of its hits. */
type OrderParts = readonly unknown[]

const PLACE_MAX = 10_000_000

/** Returns a cursor to the hit at `offset`, which is valid for the same search alone. */
export function cursorAt(offset: number, orderParts: OrderParts): string {
  return `${offset.toString(36)}-${fingerprintOf(orderParts)}`
}

/**
 * Returns the offset of a cursor; 0 without one.
 * @throws Fault invalid at `loc` when the cursor is not from this search
 */
export function offsetOf(cursor: string | undefined, orderParts: OrderParts, loc: readonly string[]): number {
  if (cursor === undefined) return 0
  const [place, fingerprint, ...more] = cursor.split('-')
  const offset = /^[0-9a-z]{1,6}$/.test(place) ? Number.parseInt(place, 36) : Infinity
  if (offset > PLACE_MAX || more.length > 0 || fingerprint !== fingerprintOf(orderParts)) {
    throw invalid(loc, 'cursor_invalid', 'Input should be a cursor from a previous answer to the same search')
  }
  return offset
}

function fingerprintOf(orderParts: OrderParts): string {
  return createHash('sha256').update(JSON.stringify(orderParts)).digest('base64url').replaceAll('-', '_').slice(0, 12)
}
