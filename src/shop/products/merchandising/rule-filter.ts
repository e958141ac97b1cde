import { type CompiledFilter, compileFilter, filterOf } from '../../../search/request/filter.ts'
import type { SearchFields } from '../../../search/request/fields.ts'
import type { Filter } from '../../../search/engine.ts'
import { productSearchFields } from '../search/product-fields.ts'

/** The products that the filter of a stored rule asks for. @param nowMs moment at which prices are taken */
export function ruleFilter(filter: unknown, nowMs: number): Filter {
  return filterOf(compiledRuleFilter(filter, nowMs, [], true))
}

/**
 * @param nowMs moment at which prices are taken
 * @param place where the filter stands in the request
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

/** What a search filters by, without the site, which the rule already has. */
function fieldsAt(nowMs: number): SearchFields {
  const { own, prefix } = productSearchFields(nowMs)
  const { site_id: _site, ...fields } = own
  return { own: fields, prefix }
}
