import { isWhole } from '../support/tier.ts'

/**
 * Returns a few values in the gate, and all in the whole run. Each turn takes the next ones, so that all turns
 * together, such as routes or fields that share the code that judges the values, try every value.
 */
export function inTurn<T>(values: readonly T[], turn: number, count: number): readonly T[] {
  if (isWhole || values.length <= count) return values
  return Array.from({ length: count }, (_, i) => values[(turn * count + i) % values.length])
}
