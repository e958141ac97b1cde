import type { TenantSettings } from '../../../platform/access/caller.ts'
import { primaryLanguage } from '../../../platform/contract/language.ts'
import { invalid } from '../../../platform/faults.ts'
import { doubleBelow, reversed } from '../../../search/request/numbers.ts'
import type { Filter, SearchRequest } from '../../../search/engine.ts'
import { identifierForms } from './identifiers.ts'
import { effectivePriceFilter } from '../price.ts'
import type { ProductSearch } from './search-contract.ts'

/**
 * Returns the filter of a site's products, or of all products where the site is null. A search of a site is as if there
 * were no other: only the site's products decide how rare a word is, and whether it is a typo.
 */
export function siteFilter(siteId: string | null): Filter {
  return siteId === null ? { all: [] } : { field: 'site', anyOf: [siteId] }
}

/**
 * Turns the filters of a request into an index filter. Prices are compared as doubles, exact to 15 digits.
 * @param nowMs moment of the prices
 */
export function productFilter(input: Omit<ProductSearch, 'query' | 'site_id'>, nowMs: number): Filter {
  const all: Filter[] = []
  const equals = (field: string, value: string | null | undefined): void => {
    if (value !== null && value !== undefined) all.push({ field, anyOf: [value] })
  }
  equals('category', input.category)
  equals('brand', input.brand)
  equals('availability', input.availability)
  equals('language', input.language ? primaryLanguage(input.language) : null)
  if (typeof input.sku === 'string') all.push({ field: 'identifier', anyOf: identifierForms(input.sku) })
  if (input.price_min !== undefined || input.price_max !== undefined) {
    const above = input.price_min === undefined ? null : doubleBelow(Number(input.price_min))
    const below = input.price_max === undefined ? null : Number(input.price_max)
    all.push(effectivePriceFilter(above, below, nowMs))
  }
  return { all }
}

/** @throws Fault invalid when no price can be between the bounds */
export function requirePriceRange({ price_min: low, price_max: high }: Omit<ProductSearch, 'query'>): void {
  if (low === undefined || high === undefined || Number(low) <= Number(high)) return
  throw invalid(['body', 'price_max'], ...reversed(low))
}

/** Returns the filter of a tenant's `variantStrategy`, and the groups in which it shows one hit. */
export function variantPolicy(strategy: TenantSettings['variantStrategy']): {
  readonly filter: Filter
  readonly groups: SearchRequest['groups']
} {
  if (strategy === 'children_only') return { filter: { not: { field: 'variant', anyOf: ['parent'] } }, groups: null }
  if (strategy === 'all') return { filter: { all: [] }, groups: null }
  return { filter: { all: [] }, groups: { prefer: { field: 'variant', anyOf: ['parent', 'single'] } } }
}
