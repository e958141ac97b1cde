import { parseObject } from '../../platform/database/json-text.ts'
import { countValues } from '../../platform/contract/check.ts'
import { JSON_VALUES_MAX } from '../../platform/contract/json.ts'
import { isUnchecked } from '../../platform/contract/unchecked.ts'
import type { ProductRow } from '../../platform/database/tables.ts'
import { Fault, invalid } from '../../platform/faults.ts'
import { LINE_BYTES_MAX } from '../../platform/lines/ndjson.ts'
import { draftOf, type ProductDraft, textBytesOf } from './draft.ts'
import { mergePatch } from './merge-patch.ts'
import type { ProductPatch } from './patch-contract.ts'

/** Columns of objects, whose members a patch changes one by one. */
const OBJECTS = ['attributes', 'properties'] as const

/**
 * Returns the columns that a patch sets in a stored product. A column has the name of its field. The product keeps its
 * source, so that a full sync of that source still retires it.
 */
export function patchedColumns(before: ProductRow, patch: ProductPatch): Partial<ProductDraft> {
  const { title, language } = before
  const draft = draftOf({ title, language, ...patch }, 'api')
  const fields = Object.keys(patch) as (keyof ProductPatch)[]
  const columns: Partial<ProductDraft> = Object.fromEntries(fields.map((field) => [field, draft[field]]))
  for (const column of OBJECTS) {
    const members = patch[column]
    if (members != null) columns[column] = JSON.stringify(mergePatch(parseObject(before[column]), members))
  }
  // The hash stands for the content of the last sync, which the patch replaces.
  columns.sync_hash = draft.sync_hash
  return columns
}

/**
 * Returns the fault of a patch that would make a product larger than a whole one may be sent, since many patches that
 * each have a right size add up; null without one, and for a patch that makes the product no larger.
 */
export function sizeFault(before: ProductRow, columns: Partial<ProductDraft>): Fault | null {
  for (const column of OBJECTS) {
    const text = columns[column]
    if (text == null || text.length <= (before[column]?.length ?? 0)) continue
    if (textBytesOf({ ...before, ...columns }) > LINE_BYTES_MAX) {
      return invalid(['body', column], 'too_long', `The product would have more than ${LINE_BYTES_MAX} bytes`)
    }
    if (countValues(parseObject(text), JSON_VALUES_MAX) >= JSON_VALUES_MAX) {
      return invalid(['body', column], 'too_long', `The product would have ${JSON_VALUES_MAX} values or more`)
    }
  }
  return null
}

/**
 * Returns the fault of a patch that would give a product another external_id, by which its shop and its variants know it;
 * null without one.
 * @param body of any shape
 */
export function identityFault({ external_id: name }: Pick<ProductRow, 'external_id'>, body: unknown): Fault | null {
  if (!isUnchecked(body) || !Object.hasOwn(body, 'external_id') || body.external_id === name) return null
  const msg = 'The external_id of a product cannot change'
  return new Fault('invalid', [{ loc: ['body', 'external_id'], msg, type: 'immutable_field' }])
}
