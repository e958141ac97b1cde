import { numberOfValue } from '../indexing/property-values.ts'

/** The next smaller double. It turns an inclusive lower bound into the exclusive one that the engine takes. */
export function doubleBelow(value: number): number {
  if (value === 0) return -Number.MIN_VALUE
  const bits = new BigInt64Array(1)
  const double = new Float64Array(bits.buffer)
  double[0] = value
  bits[0] += value > 0 ? -1n : 1n
  return double[0]
}

/** Whether no number is up to a bound that `doubleBelow` gave: requests are JSON, where infinity would be no bound. */
export function isBelowAll(below: number | null): boolean {
  return below === -Infinity
}

/** What a bound may be: a number, a date or moment, or either for a property. */
export type BoundKind = 'number' | 'moment' | 'any'

/** The number that a bound stands for; null if it is of another kind. */
export function boundIn(value: unknown, kind: BoundKind): number | null {
  if (typeof value === 'number') return kind === 'moment' || !Number.isFinite(value) ? null : value
  if (typeof value !== 'string' || kind === 'number' || value.length < 10) return null
  const moment = /^\d{4}-/.test(value) ? numberOfValue(value) : NaN
  return Number.isNaN(moment) ? null : moment
}

/** Type and message of the fault of an upper bound below its lower one, which no value can be between. */
export function reversed(lower: unknown): [type: string, msg: string] {
  return ['greater_than_equal', `Input should be greater than or equal to the lower bound, ${String(lower)}`]
}

/** What a bound should have been, in words. */
export function boundWords(kind: BoundKind): string {
  if (kind === 'number') return 'Input should be a valid number'
  return kind === 'moment'
    ? 'Input should be a date or a date and time'
    : 'Input should be a number, a date or a date and time'
}
