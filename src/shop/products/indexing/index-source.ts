import { primaryLanguage } from '../../../platform/contract/language.ts'
import { parseList, parseObject } from '../../../platform/database/json-text.ts'
import type { ProductRow } from '../../../platform/database/tables.ts'
import type { DocumentValues, IndexDefinition, IndexDocument } from '../../../search/engine.ts'
import { propertiesOf } from '../../../search/indexing/property-values.ts'
import { sortTextOf } from '../../../search/indexing/sort-text.ts'
import type { SearchableKind } from '../../../search/indexing/index-source.ts'
import { CATEGORY_PATH, pathsOf } from './category-path.ts'
import { EMBEDDED_COLUMNS, linesOf } from './embedding-texts.ts'
import { PRODUCT_EMBEDDING, type ProductVectors } from './product-embedding.ts'
import { FILTER_LENGTH_MAX } from '../search/filter-length.ts'
import { normalGtin, normalIdentifier } from '../search/identifiers.ts'
import { priceNumbers } from '../price.ts'

/** Fields of the product index. Passage number i is the i-th text of `embeddingTextsOf`. */
export const PRODUCT_INDEX: IndexDefinition = {
  name: 'products',
  textFields: { title: 4, brand: 2, keywords: 2, category: 1.5, identifiers: 2, properties: 0.5, description: 0.5 },
  onceFields: ['properties'],
  nameField: 'title',
  keyFields: [
    'site',
    'brand',
    'category',
    'availability',
    'language',
    'identifier',
    'variant',
    'on_request',
    'family',
    'self',
  ],
  numberFields: [
    'price',
    'special',
    'special_from',
    'special_until',
    'rating',
    'rating_count',
    'created_at',
    'updated_at',
  ],
  facetFields: ['site', 'brand', 'category', 'availability', 'language'],
  hasProperties: true,
}

/** Columns that keys, group and properties are made of. */
const VALUE_COLUMNS = [
  'site_id',
  'external_id',
  'sku',
  'gtin',
  'gtins',
  'brand',
  'category',
  'availability',
  'variants_availability',
  'language',
  'parent_external_id',
  'parent_product_id',
  'is_variant',
  'is_parent',
  'price_on_request',
  'attributes',
] as const satisfies (keyof ProductRow)[]

const NUMBER_COLUMNS = [
  'price_current',
  'price_special',
  'price_special_from',
  'price_special_until',
  'rating_average',
  'rating_count',
  'created_at',
  'updated_at',
  'retired_at',
] as const satisfies (keyof ProductRow)[]

/** Columns that words and vectors are made of. */
const TEXT_COLUMNS = [
  ...EMBEDDED_COLUMNS,
  'language',
  'brand',
  'search_keywords',
  'category',
  'external_id',
  'sku',
  'gtin',
] as const satisfies (keyof ProductRow)[]

type ValueRow = Pick<ProductRow, (typeof VALUE_COLUMNS)[number] | (typeof NUMBER_COLUMNS)[number]>

/** Tells whether two states of a product have the same words and vectors. */
export function sameSearchedText(one: ProductRow, other: ProductRow): boolean {
  return TEXT_COLUMNS.every((column) => one[column] === other[column])
}

/** Reading of changed products into the product index. A retired product counts as deleted. */
export const SEARCHABLE_PRODUCTS: SearchableKind<ProductRow, ProductVectors, ValueRow> = {
  definition: PRODUCT_INDEX,
  embedding: PRODUCT_EMBEDDING,
  longColumns: ['description', 'properties', 'attributes', 'search_keywords', 'gtins'],
  valueColumns: VALUE_COLUMNS,
  numberColumns: NUMBER_COLUMNS,
  isGone: (row) => row.retired_at !== null,
  numbersOf: (row) => ({
    ...priceNumbers(row),
    rating: numberOf(row.rating_average),
    rating_count: row.rating_count,
    created_at: row.created_at,
    updated_at: row.updated_at,
  }),
  valuesOf,
  textOf,
}

function valuesOf(row: ValueRow & Pick<ProductRow, 'id'>): Pick<DocumentValues, 'group' | 'keys' | 'properties'> {
  const names = [...present(row.external_id), ...present(row.sku)]
  const family = familyOf(row)
  return {
    group: family,
    keys: {
      site: [row.site_id],
      brand: present(row.brand),
      category: present(row.category).filter(isFilterable),
      // A parent whose variants are in stock is in stock, whatever its own availability.
      availability: present(row.variants_availability ?? row.availability),
      language: [primaryLanguage(row.language)],
      identifier: distinct([
        ...names.map(normalIdentifier),
        ...[...present(row.gtin), ...parseList(row.gtins)].map(normalGtin),
      ]),
      variant: variantKeys(row),
      on_request: row.price_on_request === 1 ? ['yes'] : [],
      family: [family],
      // A family's id finds its head, and other members have their own id, so each product has few keys of its own.
      self: [family === row.id ? 'head' : row.id],
    },
    properties: {
      ...propertiesOf('attributes', parseObject(row.attributes)),
      ...(row.category === null || row.category === '' ? {} : { [CATEGORY_PATH]: pathsOf(row.category) }),
    },
  }
}

function textOf(row: ProductRow): Pick<IndexDocument, 'language' | 'text' | 'sortText'> {
  return {
    language: row.language,
    text: {
      title: [row.title],
      brand: present(row.brand),
      keywords: parseList(row.search_keywords),
      category: present(row.category),
      identifiers: [row.external_id, row.sku, row.gtin].flatMap(present),
      properties: [...linesOf(parseObject(row.properties)), ...linesOf(parseObject(row.attributes))],
      description: [...present(row.short_description), ...present(row.description)],
    },
    sortText: sortTextOf(row.title),
  }
}

/**
 * Returns the id of a product's family, which is a product and its variants: the id of the parent. Variants of a parent
 * that does not exist, as in feeds whose items only share the name of a group, are a family too.
 */
export function familyOf(row: Pick<ProductRow, 'id' | 'site_id' | 'parent_product_id' | 'parent_external_id'>): string {
  const { parent_external_id: group } = row
  return row.parent_product_id ?? (group === null ? row.id : `${row.site_id}/${group}`)
}

/** Returns the keys of a product's kind. Feeds mark some products as both parent and variant. */
function variantKeys({ is_parent, is_variant }: Pick<ProductRow, 'is_parent' | 'is_variant'>): string[] {
  if (is_parent === 0 && is_variant === 0) return ['single']
  return [...(is_parent === 1 ? ['parent'] : []), ...(is_variant === 1 ? ['variant'] : [])]
}

/** Tells whether a filter may have the value. Facets do not count longer values, which would have no bound. */
function isFilterable(value: string): boolean {
  return (
    value.length <= FILTER_LENGTH_MAX ||
    Array.from(value.slice(0, 2 * FILTER_LENGTH_MAX + 1)).length <= FILTER_LENGTH_MAX
  )
}

const distinct = (values: readonly string[]): string[] => [...new Set(values)].filter((value) => value !== '')
const present = (text: string | null): string[] => (text === null || text === '' ? [] : [text])
const numberOf = (decimal: string | null): number | null => (decimal === null ? null : Number(decimal))
