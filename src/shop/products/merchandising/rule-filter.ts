import { type CompiledFilter, compileFilter, filterOf } from '../../../search/request/filter.ts'
import type { SearchFields } from '../../../search/request/fields.ts'
import type { Filter } from '../../../search/engine.ts'
import { productSearchFields } from '../search/product-fields.ts'

/** Returns the index filter of a stored rule's filter. @param nowMs moment of the prices */
export function ruleFilter(filter: unknown, nowMs: number): Filter {
  return filterOf(compiledRuleFilter(filter, nowMs, [], true))
}

/**
 * Compiles the filter of a rule.
 * @param nowMs moment of the prices
 * @param place place of the filter in the request
 * @param isStored whether the filter was accepted and stored earlier, so that later bounds do not refuse it
 * @throws Fault invalid, with every fault of the filter at its place
 */
export function compiledRuleFilter(
  filter: unknown,
  nowMs: number,
  place: readonly string[],
  isStored = false,
): CompiledFilter {
  return compileFilter(filter, fieldsAt(nowMs), place, isStored)
}

/** Returns the fields of product search without the site, which the rule already has. */
function fieldsAt(nowMs: number): SearchFields {
  const { own, prefix } = productSearchFields(nowMs)
  const { site_id: _site, ...fields } = own
  return { own: fields, prefix }
}
