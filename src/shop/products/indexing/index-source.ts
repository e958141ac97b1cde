import { parseList, parseObject } from '../../../platform/database/json-text.ts'
import type { ProductRow } from '../../../platform/database/tables.ts'
import type { IndexDefinition, IndexDocument } from '../../../search/engine.ts'
import type { SearchableKind } from '../../../search/index-source.ts'
import { linesOf } from './embedding-texts.ts'
import { PRODUCT_EMBEDDING, type ProductVectors } from './product-embedding.ts'
import { FILTER_LENGTH_MAX } from '../search/filter-length.ts'
import { normalIdentifier } from '../search/identifiers.ts'
import { priceNumbers } from '../price.ts'

/** The fields of the product index. Passage number i is the i-th text of `embeddingTextsOf`. */
export const PRODUCT_INDEX: IndexDefinition = {
  name: 'products',
  textFields: { title: 4, brand: 2, keywords: 2, category: 1.5, identifiers: 2, properties: 0.5, description: 0.5 },
  onceFields: ['properties'],
  keyFields: ['site', 'brand', 'category', 'availability', 'language', 'identifier', 'variant', 'family'],
  numberFields: ['price', 'special', 'special_from', 'special_until', 'rating'],
  facetFields: ['site', 'brand', 'category', 'availability', 'language'],
}

/** How the product index reads changed products. A retired product counts as deleted. */
export const SEARCHABLE_PRODUCTS: SearchableKind<ProductRow, ProductVectors> = {
  definition: PRODUCT_INDEX,
  embedding: PRODUCT_EMBEDDING,
  longColumns: ['description', 'properties', 'attributes', 'search_keywords'],
  isGone: (row) => row.retired_at !== null,
  documentOf,
}

function documentOf(row: ProductRow): Omit<IndexDocument, 'passages'> {
  const identifiers = [row.external_id, row.sku, row.gtin].filter((id) => id !== null && id !== '') as string[]
  return {
    id: row.id,
    language: row.language,
    changedAt: row.updated_at,
    group: familyOf(row),
    text: {
      title: [row.title],
      brand: present(row.brand),
      keywords: parseList(row.search_keywords),
      category: present(row.category),
      identifiers,
      properties: [...linesOf(parseObject(row.properties)), ...linesOf(parseObject(row.attributes))],
      description: [...present(row.short_description), ...present(row.description)],
    },
    keys: {
      site: [row.site_id],
      brand: present(row.brand),
      category: present(row.category).filter(isFilterable),
      availability: present(row.availability),
      language: [row.language],
      identifier: [...new Set(identifiers.map(normalIdentifier))].filter((id) => id !== ''),
      variant: [row.is_parent === 1 ? 'parent' : row.is_variant === 1 ? 'variant' : 'single'],
      family: [familyOf(row)],
    },
    numbers: { ...priceNumbers(row), rating: numberOf(row.rating_average) },
  }
}

/** A product and its variants are a family. Its name is the parent's id. */
function familyOf(row: Pick<ProductRow, 'id' | 'parent_product_id'>): string {
  return row.parent_product_id ?? row.id
}

/** Whether a filter can ask for the value. Longer values are not counted in facets, which would have no bound. */
function isFilterable(value: string): boolean {
  return (
    value.length <= FILTER_LENGTH_MAX ||
    Array.from(value.slice(0, 2 * FILTER_LENGTH_MAX + 1)).length <= FILTER_LENGTH_MAX
  )
}

const present = (text: string | null): string[] => (text === null || text === '' ? [] : [text])
const numberOf = (decimal: string | null): number | null => (decimal === null ? null : Number(decimal))
