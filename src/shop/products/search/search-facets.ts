import type { FacetRequest, Facets } from '../../../search/engine.ts'
import { effectivePriceFacet } from '../price.ts'
import type { ProductFacets } from './search-contract.ts'

const FACET_FIELDS = ['brand', 'category', 'availability', 'language', 'site'] as const
/** Most values in the facet of one field. The most frequent come first. */
const VALUES_MAX = 20
/** Round upper bounds of the price ranges. */
const PRICE_STEPS = [10, 20, 50, 100, 200, 500, 1_000, 2_000, 5_000]

const PRICE_RANGES = [null, ...PRICE_STEPS].map((above, i) => ({ above, below: PRICE_STEPS[i] ?? null }))

/** Returns the request of the fixed facets of product search. @param nowMs moment of the prices */
export function facetRequest(nowMs: number): FacetRequest {
  return {
    keys: FACET_FIELDS.map((field) => ({ field, limit: VALUES_MAX })),
    numbers: [effectivePriceFacet(PRICE_RANGES, nowMs)],
  }
}

/** Turns the engine's facets into those of the API. Leaves out price ranges without products. */
export function productFacets({ keys, numbers: [price] }: Facets): ProductFacets {
  const values = Object.fromEntries(keys.map((facet) => [facet.field, facet.values]))
  const lists = values as unknown as Omit<ProductFacets, 'price'>
  return {
    ...lists,
    price: {
      count: price.count,
      min: textOf(price.min),
      max: textOf(price.max),
      ranges: PRICE_RANGES.flatMap(({ above, below }, i) =>
        price.ranges[i] === 0 ? [] : [{ over: textOf(above), up_to: textOf(below), count: price.ranges[i] }],
      ),
    },
  }
}

/** Returns a double as decimal text without an exponent. */
function textOf(value: number | null): string | null {
  if (value === null) return null
  const text = String(value)
  return text.includes('e') ? value.toLocaleString('en', { useGrouping: false, maximumFractionDigits: 20 }) : text
}
