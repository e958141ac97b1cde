import { parseObject } from '../../platform/database/json-text.ts'
import { isUnchecked } from '../../platform/contract/unchecked.ts'
import type { ProductRow } from '../../platform/database/tables.ts'
import { Fault } from '../../platform/faults.ts'
import { draftOf, type ProductDraft } from './draft.ts'
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
 * Returns the fault of a patch that would give a product another external_id, by which its shop and its variants know it;
 * null without one.
 * @param body of any shape
 */
export function identityFault({ external_id: name }: Pick<ProductRow, 'external_id'>, body: unknown): Fault | null {
  if (!isUnchecked(body) || !Object.hasOwn(body, 'external_id') || body.external_id === name) return null
  const msg = 'The external_id of a product cannot change'
  return new Fault('invalid', [{ loc: ['body', 'external_id'], msg, type: 'immutable_field' }])
}
