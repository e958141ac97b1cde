/** How many numbers and dates the rules of a site compare: each search of the site evaluates them all. */
import { type Fault, invalid } from '../../../platform/faults.ts'
import type { RuleDefinition } from './contract.ts'
import { compiledRuleFilter } from './rule-filter.ts'

/** Conditions on numbers and dates in the active rules of a site together. */
const OF_SITE_MAX = 32
/** The same in what the rules of several sites hide from one search. */
export const OF_SITES_MAX = 64

type Rule = Pick<RuleDefinition, 'filter' | 'is_active'>

/** Conditions on numbers and dates in the filters of rules that are active. */
export function numericConditions(rules: readonly Rule[]): number {
  return rules.reduce((sum, { filter, is_active }) => {
    const counts = is_active && filter !== undefined
    return sum + (counts ? compiledRuleFilter(filter, 0, [], true).numeric : 0)
  }, 0)
}

/**
 * The fault of a rule that brings the conditions of its site above their bound. A rule without such conditions has
 * none, so one can always be put aside.
 * @param others conditions in the other active rules of the site
 * @param place of the rule in the request
 */
export function numericFaults(rule: Rule, others: number, place: readonly string[]): Fault[] {
  const own = numericConditions([rule])
  if (own === 0 || own + others <= OF_SITE_MAX) return []
  const msg = `The active rules of a site should have at most ${OF_SITE_MAX} conditions on numbers and dates together, the others have ${others}`
  return [invalid([...place, 'filter'], 'filter_too_long', msg)]
}
