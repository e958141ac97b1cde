import { languageKey } from '../../../platform/contract/language.ts'
import type { FlagField, KeyField, SearchFields } from '../../../search/request/fields.ts'
import { CATEGORY_PATH, normalPath } from '../indexing/category-path.ts'
import { type Product, PRODUCT_FIELDS } from '../contract.ts'
import { effectivePriceFacet, effectivePriceFilter, effectivePricesFilter } from '../price.ts'
import { normalIdentifier } from './identifiers.ts'

const key = (name: string, options: Partial<KeyField> = {}): KeyField => ({ kind: 'key', key: name, ...options })
const flag = (field: string, value: string): FlagField => ({ kind: 'flag', where: { field, anyOf: [value] } })
const counted = { isCounted: true }
const always = { isAlways: true }

/**
 * Returns the fields by which a search of products filters, counts and sorts.
 * @param nowMs moment of the prices
 */
export function productSearchFields(nowMs: number): SearchFields {
  return {
    own: {
      site_id: key('site', { isId: true, ...always, ...counted }),
      brand: key('brand', counted),
      category: key('category', { tree: { property: CATEGORY_PATH, normal: normalPath }, ...counted }),
      availability: key('availability', counted),
      language: key('language', { isLanguage: true, normal: languageKey, ...always, ...counted }),
      sku: key('identifier', { normal: normalIdentifier, isUntold: true }),
      is_parent: flag('variant', 'parent'),
      is_variant: flag('variant', 'variant'),
      price_on_request: flag('on_request', 'yes'),
      title: { kind: 'title' },
      price: {
        kind: 'number',
        number: 'price',
        instead: effectivePriceFacet([], nowMs).instead,
        range: (above, below) => effectivePriceFilter(above, below, nowMs),
        list: (values) => effectivePricesFilter(values, nowMs),
      },
      rating_average: { kind: 'number', number: 'rating' },
      rating_count: { kind: 'number', number: 'rating_count' },
      created_at: { kind: 'number', number: 'created_at', isMoment: true },
      updated_at: { kind: 'number', number: 'updated_at', isMoment: true },
    },
    prefix: 'attributes',
  }
}

/** Fields of a product that only the shop needs. */
const PRIVATE: ReadonlySet<keyof Product> = new Set([
  'tenant_id',
  'source',
  'version',
  'sync_hash',
  'last_synced_at',
  'search_keywords',
  'has_similarity_anchor',
])

/** Fields of a product that visitors of a page get: those that its own page would show. */
export const PUBLIC_PRODUCT_FIELDS: readonly (keyof Product)[] = PRODUCT_FIELDS.filter((name) => !PRIVATE.has(name))
