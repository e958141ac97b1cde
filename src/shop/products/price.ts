import type { FacetRequest, Filter, IndexDocument } from '../../search/engine.ts'
import type { ProductRow } from '../../platform/database/tables.ts'

type Prices = Pick<ProductRow, 'price_current' | 'price_special' | 'price_special_from' | 'price_special_until'>

/**
 * Returns the price that people pay: the special price while it applies, else the current one.
 * @param nowMs moment of the price, in milliseconds since 1970
 * @returns decimal text, or null for a product without a price
 */
export function effectivePrice(prices: Prices, nowMs: number): string | null {
  const { price_special: special, price_special_from: from, price_special_until: until } = prices
  const isInForce = hasSpecial(special) && (from ?? -Infinity) <= nowMs && nowMs <= (until ?? Infinity)
  return isInForce ? special : prices.price_current
}

/** Tells whether the price can change without a write, because the special price has dates. */
export function changesWithTime(prices: Prices): boolean {
  return hasSpecial(prices.price_special) && (prices.price_special_from ?? prices.price_special_until) !== null
}

/** Tells whether there is a special price. Shop systems write 0 where a product has none. */
function hasSpecial(special: string | null): special is string {
  return special !== null && Number(special) > 0
}

/** Returns the prices in the search index: doubles, which are exact to 15 digits. */
export function priceNumbers(prices: Prices): IndexDocument['numbers'] {
  const { price_current: current, price_special: special } = prices
  return {
    price: current === null ? null : Number(current),
    special: hasSpecial(special) ? Number(special) : null,
    special_from: prices.price_special_from,
    special_until: prices.price_special_until,
  }
}

/** Returns the filter of products whose special price applies at the moment. */
function inForce(nowMs: number): Filter {
  return {
    all: [
      // Without bounds: the product has a special price.
      { number: 'special', above: null, below: null, orMissing: false },
      { number: 'special_from', above: null, below: nowMs, orMissing: true },
      // Times are whole milliseconds, and the last millisecond belongs to the special price.
      { number: 'special_until', above: nowMs - 1, below: null, orMissing: true },
    ],
  }
}

/**
 * Returns the filter of products whose effective price is more than `above` (exclusive) and at most `below` (inclusive),
 * as in every filter by number. Null means no bound.
 */
export function effectivePriceFilter(above: number | null, below: number | null, nowMs: number): Filter {
  return whereEffective((number) => ({ number, above, below, orMissing: false }), nowMs)
}

/** Returns the filter of products whose effective price is one of `values`. */
export function effectivePricesFilter(values: readonly number[], nowMs: number): Filter {
  return whereEffective((number) => ({ number, anyOf: values }), nowMs)
}

function whereEffective(filterOf: (number: 'special' | 'price') => Filter, nowMs: number): Filter {
  const special = inForce(nowMs)
  return { any: [{ all: [special, filterOf('special')] }, { all: [{ not: special }, filterOf('price')] }] }
}

type NumberFacet = FacetRequest['numbers'][number]

/** Returns the facet that counts products by their effective price. */
export function effectivePriceFacet(ranges: NumberFacet['ranges'], nowMs: number): NumberFacet {
  return { field: 'price', ranges, instead: { field: 'special', where: inForce(nowMs) } }
}
