import { Fault } from '../../../platform/faults.ts'
import { literalOf, readDecimal } from '../../../platform/contract/decimal.ts'
import { parseJson } from '../../../platform/contract/json.ts'
import { amountOf } from './amount.ts'
import { addBarcodes } from './barcodes.ts'
import { dateTimeOf, intervalOf } from './dates.ts'

/** A column of a feed with both dates of the special price. */
export const INTERVAL = 'price_special_dates'

/** Field names by common names in feeds; in lower case, with `_` for spaces, hyphens and points. */
const SYNONYMS: Readonly<Record<string, string>> = {
  id: 'external_id',
  product_id: 'external_id',
  item_id: 'external_id',
  article_id: 'external_id',
  article_number: 'external_id',
  item_number: 'external_id',
  artikelnummer: 'external_id',
  artikelnr: 'external_id',
  artikel_nr: 'external_id',
  artnr: 'external_id',
  art_nr: 'external_id',
  name: 'title',
  product_name: 'title',
  bezeichnung: 'title',
  titel: 'title',
  beschreibung: 'description',
  mpn: 'sku',
  part_number: 'sku',
  manufacturer_part_number: 'sku',
  teilenummer: 'sku',
  herstellernummer: 'sku',
  herstellernr: 'sku',
  hersteller_nr: 'sku',
  herstellerartikelnummer: 'sku',
  hersteller_artikelnummer: 'sku',
  ean: 'gtin',
  ean13: 'gtin',
  upc: 'gtin',
  barcode: 'gtin',
  barcodes: 'gtin',
  gtin13: 'gtin',
  gtin14: 'gtin',
  manufacturer: 'brand',
  hersteller: 'brand',
  marke: 'brand',
  product_type: 'category',
  google_product_category: 'category',
  categories: 'category',
  kategorie: 'category',
  price: 'price_current',
  preis: 'price_current',
  sale_price: 'price_special',
  special_price: 'price_special',
  sonderpreis: 'price_special',
  special_price_from_date: 'price_special_from',
  special_from_date: 'price_special_from',
  date_on_sale_from: 'price_special_from',
  special_price_to_date: 'price_special_until',
  special_to_date: 'price_special_until',
  date_on_sale_to: 'price_special_until',
  sale_price_effective_date: INTERVAL,
  msrp: 'price_msrp',
  link: 'product_url',
  url: 'product_url',
  image: 'image_url',
  image_link: 'image_url',
  bild: 'image_url',
  additional_image_link: 'additional_images',
  item_group_id: 'parent_external_id',
  lang: 'language',
  sprache: 'language',
  rating: 'rating_average',
  verfuegbarkeit: 'availability',
  verfügbarkeit: 'availability',
  waehrung: 'currency',
  währung: 'currency',
}

const TEXTS = new Set(['external_id', 'title', 'description', 'short_description', 'sku', 'brand', 'category'])
const OTHER_TEXTS = [
  'image_url',
  'product_url',
  'availability',
  'language',
  'currency',
  'parent_external_id',
  'sync_hash',
]
const EMBEDDING_TEXTS = [
  'similarity_text',
  'embedding_text_description',
  'embedding_text_properties',
  'embedding_text_attributes',
]
for (const name of [...OTHER_TEXTS, ...EMBEDDING_TEXTS]) TEXTS.add(name)
/** Code points of short texts. A longer text must be a description, and becomes a property. */
const SHORT: Readonly<Record<string, number>> = { sku: 100, brand: 200, availability: 50 }
const DECIMALS = new Set(['price_current', 'price_msrp', 'price_special', 'rating_average'])
/** Fields with dates. INTERVAL has both dates in one column. */
const DATES = new Set(['price_special_from', 'price_special_until', INTERVAL])
const LISTS = new Set(['additional_images', 'search_keywords'])
/** Fields with barcodes. Several columns may have some, and all count. */
export const BARCODES: ReadonlySet<string> = new Set(['gtin', 'gtins'])
/**
 * Columns that count only without another one of their field: the merchant's words win over Google's category number.
 */
const LAST = new Set(['google_product_category'])
const OBJECTS = new Set(['attributes', 'properties'])
const FLAGS = new Set(['price_on_request', 'is_variant', 'is_parent'])
const WHOLES = new Set(['rating_count'])
const ALL = new Set([...TEXTS, ...DECIMALS, ...DATES, ...LISTS, ...BARCODES, ...OBJECTS, ...FLAGS, ...WHOLES])

export interface RecordRules {
  /** Language of products that state none. */
  readonly language?: string
  /** Fields by the names of columns in the file. An empty field leaves the column out. */
  readonly map?: ReadonlyMap<string, string>
  /** Called with each price that cannot be read. */
  readonly onUnreadPrice?: (text: string) => void
}

/** Tells whether the API has a field of that name. */
export function isField(name: string): boolean {
  return ALL.has(name)
}

/**
 * Turns a record of a feed into a product of the API. Columns become fields by their names or synonyms, in the form of
 * the field; all other columns become properties. A value that cannot be converted stays, so that the check refuses it.
 * But an unreadable price such as `ab 5 €` becomes a property: people want the product even without its price.
 */
export function recordOf(record: Readonly<Record<string, unknown>>, rules: RecordRules = {}): Record<string, unknown> {
  const product: Record<string, unknown> = {}
  const others: Record<string, unknown> = {}
  // The API's own names win over synonyms.
  const columns = Object.entries(record).map(([name, value]) => ({ name, value, field: fieldOf(name, rules.map) }))
  for (const { name, value, field } of columns.toSorted((a, b) => rankOf(a) - rankOf(b))) {
    if (field === '' || isBlank(value)) continue
    if (field !== null && BARCODES.has(field)) {
      if (!addBarcodes(product, value)) others[name] = value
      continue
    }
    const converted = field === null ? value : valueOf(field, exact(record, name, field), product)
    if (converted === UNREAD) rules.onUnreadPrice?.(String(value))
    if (field === null || converted === UNREAD || product[field] !== undefined || isTooLong(field, converted))
      others[name] = value
    else product[field] = converted
  }
  if (Object.keys(others).length > 0)
    product.properties = { ...others, ...(product.properties as Record<string, unknown> | undefined) }
  if (typeof product[INTERVAL] === 'string') {
    const { from, until } = intervalOf(product[INTERVAL])
    if (from !== undefined) product.price_special_from ??= from
    if (until !== undefined) product.price_special_until ??= until
    delete product[INTERVAL]
  }
  // Feeds name the group of a product without variants after the product itself.
  if (product.parent_external_id === product.external_id) delete product.parent_external_id
  if (product.parent_external_id !== undefined) product.is_variant ??= true
  if (product.language === undefined && rules.language !== undefined) product.language = rules.language
  return product
}

/** Returns a price as it is written in the file; JSON.parse would round it. */
function exact(record: Readonly<Record<string, unknown>>, name: string, field: string): unknown {
  const value = record[name]
  if (typeof value !== 'number' || !DECIMALS.has(field)) return value
  const decimal = readDecimal(value, literalOf(record, name), null)
  return 'text' in decimal ? decimal.text : value
}

function rankOf({ name, field }: { name: string; field: string | null }): number {
  if (field === null) return 3
  return name === field ? 0 : LAST.has(plainName(name)) ? 2 : 1
}

function plainName(name: string): string {
  return name
    .trim()
    .toLowerCase()
    .replace(/\.$/, '')
    .replace(/[\s.-]+/g, '_')
}

/** Returns the field of a column; null for a column that is none, empty for one that `map` leaves out. */
export function fieldOf(name: string, map: RecordRules['map']): string | null {
  const mapped = map?.get(name)
  if (mapped !== undefined) return mapped
  if (ALL.has(name)) return name
  const plain = plainName(name)
  if (ALL.has(plain)) return plain
  return Object.hasOwn(SYNONYMS, plain) ? SYNONYMS[plain] : null
}

function isTooLong(field: string, value: unknown): boolean {
  const limit = Object.hasOwn(SHORT, field) ? SHORT[field] : Infinity
  return typeof value === 'string' && value.length > limit && Array.from(value).length > limit
}

/** Tells whether a column of a record is empty. */
export function isBlank(value: unknown): boolean {
  return value === null || value === undefined || value === ''
}

function valueOf(field: string, value: unknown, product: Record<string, unknown>): unknown {
  if (DECIMALS.has(field)) return typeof value === 'string' ? decimalOf(value, field, product) : value
  if (DATES.has(field)) return datesOf(field, value)
  if (LISTS.has(field)) return typeof value === 'string' ? listOf(value) : value
  if (OBJECTS.has(field)) return typeof value === 'string' ? objectOf(value) : value
  if (FLAGS.has(field)) return typeof value === 'string' ? flagOf(value) : value
  if (WHOLES.has(field)) return typeof value === 'string' && /^\d+$/.test(value) ? Number(value) : value
  const text = textOf(value)
  if (typeof text !== 'string') return text
  // Shops also write `en_US`.
  if (field === 'language') return text.replace('_', '-')
  return field === 'availability' ? availabilityOf(text) : text
}

function datesOf(field: string, value: unknown): unknown {
  if (typeof value !== 'string' || field === INTERVAL) return value
  return dateTimeOf(value, field === 'price_special_from' ? 'first' : 'last')
}

const AVAILABILITY: Readonly<Record<string, string>> = {
  in_stock: 'InStock',
  out_of_stock: 'OutOfStock',
  preorder: 'PreOrder',
  backorder: 'BackOrder',
}

/** Returns an availability by its schema.org name, from a word of Google's feeds or `https://schema.org/InStock`. */
function availabilityOf(text: string): string {
  const plain = text
    .trim()
    .toLowerCase()
    .replace(/[\s-]+/g, '_')
  return AVAILABILITY[plain] ?? text.replace(/^https?:\/\/schema\.org\//, '')
}

/** Returns a value as text; of several values the first. */
function textOf(value: unknown): unknown {
  if (typeof value === 'number' || typeof value === 'boolean') return String(value)
  return Array.isArray(value) ? textOf(value[0]) : value
}

/** Stands for a price that cannot be read. */
const UNREAD = Symbol('unread')

/**
 * Reads decimal text, and sets the currency of a price. Faulty text stays, so that the check refuses it; see UNREAD.
 */
function decimalOf(text: string, field: string, product: Record<string, unknown>): string | typeof UNREAD {
  const isPrice = field.startsWith('price')
  const amount = amountOf(text)
  if (amount === null) return isPrice ? UNREAD : text
  if (isPrice && amount.currency !== undefined) product.currency ??= amount.currency
  return amount.text
}

function listOf(text: string): unknown {
  if (text.trim().startsWith('[')) return objectOf(text)
  return text
    .split(/[|;\n]|,(?=\s|https?:)/)
    .map((item) => item.trim())
    .filter((item) => item !== '')
}

/** Parses JSON within a text, with the limits of a request body. Faulty text stays, so that the check refuses it. */
function objectOf(text: string): unknown {
  try {
    return parseJson(Buffer.from(text))
  } catch (error) {
    if (error instanceof Fault) return text
    throw error
  }
}

function flagOf(text: string): unknown {
  const word = text.trim().toLowerCase()
  if (['true', '1', 'yes', 'ja', 'y', 'j'].includes(word)) return true
  return ['false', '0', 'no', 'nein', 'n'].includes(word) ? false : text
}
