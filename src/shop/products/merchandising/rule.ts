import type { MerchandisingRuleRow } from '../../../platform/database/tables.ts'
import { Fault, invalid } from '../../../platform/faults.ts'
import { joinFaults } from '../../../platform/contract/all-faults.ts'
import type { ActiveRule } from './compile.ts'
import {
  MerchandisingPreview,
  type MerchandisingRule,
  type MerchandisingRuleWrite,
  type RuleDefinition,
} from './contract.ts'
import { numericConditions, numericFaults } from './numeric-conditions.ts'
import { compiledRuleFilter } from './rule-filter.ts'

/** Returns a rule as it was written, with defaults for absent fields. */
export function definitionOf(input: MerchandisingRuleWrite): RuleDefinition {
  return {
    name: input.name,
    action: input.action,
    is_active: input.is_active ?? true,
    from: input.from ?? null,
    to: input.to ?? null,
    query: input.query ?? null,
    match: input.match ?? 'exact',
    filter_category: input.filter_category ?? null,
    filter_brand: input.filter_brand ?? null,
    product_ids: input.product_ids ?? [],
    brands: input.brands ?? [],
    categories: input.categories ?? [],
    availabilities: input.availabilities ?? [],
    strength: input.strength ?? 0.5,
    address: input.address ?? null,
    // Rules of earlier releases lack the field, so a rule without a filter lacks it too.
    ...(input.filter === undefined || input.filter === null ? {} : { filter: input.filter }),
  }
}

export function ruleOf({ id, site_id, definition, created_at, updated_at }: MerchandisingRuleRow): MerchandisingRule {
  return {
    id,
    site_id,
    ...(JSON.parse(definition) as RuleDefinition),
    created_at: new Date(created_at).toISOString(),
    updated_at: new Date(updated_at).toISOString(),
  }
}

/** Returns the rules of a preview. @throws Fault invalid when fields of a rule do not agree */
export function previewedRules(rules: readonly MerchandisingRuleWrite[]): ActiveRule[] {
  let conditions = 0
  return rules.map((input, i) => {
    const definition = definitionOf(input)
    const place = ['body', 'rules', String(i)]
    const [fault, ...further] = relationFaults(definition, place)
    if (fault !== undefined) throw joinFaults(fault, further, MerchandisingPreview)
    const [numericFault] = numericFaults(definition, conditions, place)
    if (numericFault !== undefined) throw numericFault
    conditions += numericConditions([definition])
    return { ...definition, id: null }
  })
}

/**
 * Returns faults of fields that have the right shape but do not agree with each other.
 * @param place place of the rule in the request
 */
export function relationFaults(rule: RuleDefinition, place: readonly string[]): Fault[] {
  const faults: Fault[] = []
  const refuse = (field: string, msg: string) => faults.push(invalid([...place, field], 'value_error', msg))
  if (rule.from !== null && rule.to !== null && Date.parse(rule.to) < Date.parse(rule.from))
    refuse('to', 'Input should not be before from')
  if (rule.filter !== undefined) faults.push(...filterFaults(rule, [...place, 'filter']))
  if (rule.action === 'redirect') {
    if (rule.address === null) refuse('address', 'A redirect should have an address')
    if (rule.query === null) refuse('query', 'A redirect should have a query')
  } else if (rule.action === 'pin') {
    if (rule.product_ids.length === 0) refuse('product_ids', 'A pin should name products by their ids')
  } else if (
    rule.filter === undefined &&
    [rule.product_ids, rule.brands, rule.categories, rule.availabilities].every((list) => list.length === 0)
  ) {
    refuse('product_ids', 'The rule should name products: by ids, brands, categories, availabilities or a filter')
  }
  return faults
}

function filterFaults({ action, filter }: RuleDefinition, place: readonly string[]): Fault[] {
  if (action === 'pin' || action === 'redirect')
    return [invalid(place, 'value_error', 'Only rules that hide, boost or bury have a filter')]
  try {
    compiledRuleFilter(filter, 0, place)
    return []
  } catch (error) {
    if (error instanceof Fault) return [error]
    throw error
  }
}
