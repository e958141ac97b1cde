import { BARCODES, fieldOf, INTERVAL, isBlank, isField, recordOf, type RecordRules } from './record.ts'

const DATES = ['price_special_from', 'price_special_until']
const PRICES = ['price_current', 'price_msrp', 'price_special']

/** Fields that one name stands for, because feeds and shops change them together. */
const GROUPS: Readonly<Record<string, readonly string[]>> = {
  price: [...PRICES, ...DATES, 'price_on_request', 'currency'],
  rating: ['rating_average', 'rating_count'],
  images: ['image_url', 'additional_images'],
  gtin: [...BARCODES],
  [INTERVAL]: DATES,
  // A price without its currency would be another price.
  ...Object.fromEntries(PRICES.map((field) => [field, [field, 'currency']])),
}

export const GROUP_NAMES = ['price', 'rating', 'images']

/** Fields that say which product is meant, and in which state it was last sent. An update cannot change them. */
const FIXED = new Set(['external_id', 'sync_hash'])

/** Returns the fields that a name stands for: a field or a group; null when there is none that an update can change. */
export function updatableFields(name: string): readonly string[] | null {
  if (Object.hasOwn(GROUPS, name)) return GROUPS[name]
  return isField(name) && !FIXED.has(name) ? [name] : null
}

/**
 * Turns a record of a feed into a patch of the product with its external_id. A column that is empty clears its field, and
 * a field without a column stays as it is.
 * @param fields fields that may change
 */
export function patchOf(
  record: Readonly<Record<string, unknown>>,
  fields: ReadonlySet<string>,
  { map, onUnreadPrice }: Omit<RecordRules, 'language'>,
): Record<string, unknown> {
  const product = recordOf(record, { map, onUnreadPrice })
  const patch: Record<string, unknown> = {}
  for (const field of ['external_id', ...fields]) if (product[field] !== undefined) patch[field] = product[field]
  for (const [name, value] of Object.entries(record)) {
    const field = fieldOf(name, map)
    if (field === null) {
      if (fields.has('properties') && isBlank(value)) patch.properties = withoutMember(patch.properties, name)
    } else if (BARCODES.has(field) || isBlank(value)) {
      for (const each of BARCODES.has(field) ? BARCODES : field === INTERVAL ? DATES : [field])
        if (fields.has(each)) patch[each] ??= null
    }
  }
  return patch
}

/** Returns the patch of properties that removes one more member, unless another column gives it a value. */
function withoutMember(properties: unknown, name: string): Record<string, unknown> {
  return { [name]: null, ...(properties as Record<string, unknown> | undefined) }
}
