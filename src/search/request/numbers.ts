import { numberOfValue } from '../indexing/property-values.ts'

/**
 * Returns the next smaller double, which turns an inclusive lower bound into the exclusive one that the engine takes.
 */
export function doubleBelow(value: number): number {
  if (value === 0) return -Number.MIN_VALUE
  const bits = new BigInt64Array(1)
  const double = new Float64Array(bits.buffer)
  double[0] = value
  bits[0] += value > 0 ? -1n : 1n
  return double[0]
}

/**
 * Tells whether no number can be at or below a bound from `doubleBelow`, which is then minus infinity. Such a bound
 * must not reach the engine: requests travel as JSON, which turns infinity into null, and null is no bound.
 */
export function isBelowAll(below: number | null): boolean {
  return below === -Infinity
}

/** The values that a bound may have: a number; a date or moment; or, for a property, any of these. */
export type BoundKind = 'number' | 'moment' | 'any'

/** Returns the number of a bound, for a moment in milliseconds since 1970; null if the value is not of the kind. */
export function boundIn(value: unknown, kind: BoundKind): number | null {
  if (typeof value === 'number') return kind === 'moment' || !Number.isFinite(value) ? null : value
  if (typeof value !== 'string' || kind === 'number' || value.length < 10) return null
  const moment = /^\d{4}-/.test(value) ? numberOfValue(value) : NaN
  return Number.isNaN(moment) ? null : moment
}

/** Returns type and message of the fault of an upper bound that is below the lower bound. */
export function reversed(lower: unknown): [type: string, msg: string] {
  return ['greater_than_equal', `Input should be greater than or equal to the lower bound, ${String(lower)}`]
}

/** Returns the message of the fault of a bound that is not of the kind. */
export function boundWords(kind: BoundKind): string {
  if (kind === 'number') return 'Input should be a valid number'
  return kind === 'moment'
    ? 'Input should be a date or a date and time'
    : 'Input should be a number, a date or a date and time'
}
