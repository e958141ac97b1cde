import { isWhole } from '../support/tier.ts'

/**
 * A few values in the gate, and all in the whole run. Each turn takes the next ones, so that over the turns, such as
 * routes or fields that share the code which judges these values, every value is tried.
 */
export function inTurn<T>(values: readonly T[], turn: number, count: number): readonly T[] {
  if (isWhole || values.length <= count) return values
  return Array.from({ length: count }, (_, i) => values[(turn * count + i) % values.length])
}
