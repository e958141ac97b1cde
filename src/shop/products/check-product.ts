import { joinFaults } from '../../platform/contract/all-faults.ts'
import { compileCheck } from '../../platform/contract/check.ts'
import { isDateTime } from '../../platform/contract/formats.ts'
import { isUnchecked } from '../../platform/contract/unchecked.ts'
import { Fault, invalid } from '../../platform/faults.ts'
import { ProductBulkLine, ProductWrite } from './contract.ts'
import { ProductPatchLine } from './patch-contract.ts'

const check = compileCheck(ProductBulkLine, ['body'])
const checkLine = compileCheck(ProductPatchLine, ['body'])

/** Fields of a product that have to agree with each other; times in milliseconds since 1970. */
interface RelatedFields {
  readonly external_id: string | null
  readonly parent_external_id: string | null
  readonly price_special_from: number | null
  readonly price_special_until: number | null
}

/** Checks a line of a feed. @returns all its faults; null when the line is a valid product */
export function checkProduct(line: unknown): Fault | null {
  const faults = check(line)
  return faults === null ? null : joinFaults(new Fault('invalid', faults), relationFaultsOf(line), ProductBulkLine)
}

/** Checks a line that changes a product. @returns all its faults but those that depend on the product; null without any */
export function checkPatch(line: unknown): Fault | null {
  const faults = checkLine(line)
  return faults === null ? null : new Fault('invalid', faults)
}

/** Returns the faults of `relationFaults` as one; null when there are none. */
export function relationFault(product: RelatedFields): Fault | null {
  const [fault, ...further] = relationFaults(product)
  return fault === undefined ? null : joinFaults(fault, further, ProductWrite)
}

/** Returns faults of fields that have the right shape but do not agree with each other. */
function relationFaults(product: RelatedFields): Fault[] {
  const faults: Fault[] = []
  const { price_special_from: from, price_special_until: until } = product
  if (from !== null && until !== null && until < from) {
    faults.push(
      invalid(['body', 'price_special_until'], 'value_error', 'Input should not be before price_special_from'),
    )
  }
  if (product.parent_external_id !== null && product.parent_external_id === product.external_id) {
    faults.push(invalid(['body', 'parent_external_id'], 'value_error', 'A product cannot be its own parent'))
  }
  return faults
}

const NO_FIELDS: RelatedFields = {
  external_id: null,
  parent_external_id: null,
  price_special_from: null,
  price_special_until: null,
}

/**
 * Returns the faults of `relationFaults` in an unchecked body, as far as its fields can be read.
 * @param stored product that the body changes; its fields stand for those that the body does not have
 */
export function relationFaultsOf(body: unknown, stored: RelatedFields = NO_FIELDS): Fault[] {
  if (!isUnchecked(body)) return []
  const has = (field: keyof RelatedFields) => Object.hasOwn(body, field)
  const text = (field: 'external_id' | 'parent_external_id') => (has(field) ? textIn(body[field]) : stored[field])
  const time = (field: 'price_special_from' | 'price_special_until') =>
    has(field) ? timeIn(body[field]) : stored[field]
  return relationFaults({
    external_id: text('external_id'),
    parent_external_id: text('parent_external_id'),
    price_special_from: time('price_special_from'),
    price_special_until: time('price_special_until'),
  })
}

const textIn = (value: unknown) => (typeof value === 'string' ? value : null)
const timeIn = (value: unknown) => (typeof value === 'string' && isDateTime(value) ? Date.parse(value) : null)
