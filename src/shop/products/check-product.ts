import { joinFaults } from '../../platform/contract/all-faults.ts'
import { compileCheck } from '../../platform/contract/check.ts'
import { isDateTime } from '../../platform/contract/formats.ts'
import { isUnchecked } from '../../platform/contract/unchecked.ts'
import { Fault, invalid } from '../../platform/faults.ts'
import { ProductBulkLine } from './contract.ts'

const check = compileCheck(ProductBulkLine, ['body'])

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

/** Returns faults of fields that have the right shape but do not agree with each other. */
export function relationFaults(product: RelatedFields): Fault[] {
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

/** Returns the faults of `relationFaults` in an unchecked body, as far as its fields can be read. */
export function relationFaultsOf(body: unknown): Fault[] {
  if (!isUnchecked(body)) return []
  return relationFaults({
    external_id: textIn(body.external_id),
    parent_external_id: textIn(body.parent_external_id),
    price_special_from: timeIn(body.price_special_from),
    price_special_until: timeIn(body.price_special_until),
  })
}

const textIn = (value: unknown) => (typeof value === 'string' ? value : null)
const timeIn = (value: unknown) => (typeof value === 'string' && isDateTime(value) ? Date.parse(value) : null)
