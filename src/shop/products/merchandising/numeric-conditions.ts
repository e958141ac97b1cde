/** Bounds the conditions on numbers and dates in rules: each search of a site evaluates all of its rules. */
import { type Fault, invalid } from '../../../platform/faults.ts'
import type { RuleDefinition } from './contract.ts'
import { compiledRuleFilter } from './rule-filter.ts'

/** Most conditions on numbers and dates in the active rules of a site together. */
const CONDITIONS_OF_SITE_MAX = 32
/** Most conditions on numbers and dates in the rules by which several sites hide products from one search. */
export const CONDITIONS_OF_SITES_MAX = 64

type Rule = Pick<RuleDefinition, 'filter' | 'is_active'>

/** Counts the conditions on numbers and dates in the filters of active rules. */
export function numericConditions(rules: readonly Rule[]): number {
  return rules.reduce((sum, { filter, is_active }) => {
    const isCounted = is_active && filter !== undefined
    return sum + (isCounted ? compiledRuleFilter(filter, 0, [], true).numeric : 0)
  }, 0)
}

/**
 * Returns the fault of a rule that brings the conditions of its site above their bound. An inactive rule has no
 * conditions, so a rule can always be switched off.
 * @param others number of conditions in the other active rules of the site
 * @param place place of the rule in the request
 */
export function numericFaults(rule: Rule, others: number, place: readonly string[]): Fault[] {
  const own = numericConditions([rule])
  if (own === 0 || own + others <= CONDITIONS_OF_SITE_MAX) return []
  const msg = `The active rules of a site should have at most ${CONDITIONS_OF_SITE_MAX} conditions on numbers and dates together, the others have ${others}`
  return [invalid([...place, 'filter'], 'filter_too_long', msg)]
}
