import type { ProductRow } from '../../platform/database/tables.ts'
import { WRITTEN_FIELDS } from './contract.ts'
import type { ProductDraft } from './draft.ts'

/** Fields whose loss is worth telling, by name: without the hash, which a push without one always clears. */
const FIELDS = (Object.keys(WRITTEN_FIELDS) as (keyof typeof WRITTEN_FIELDS)[])
  .filter((name) => name !== 'sync_hash')
  .toSorted()

/** Values of columns that stand for nothing. Flags and counts always have a value. */
const EMPTY: ReadonlySet<unknown> = new Set([null, '', '[]', '{}'])

/** Returns the fields that a stored product has and the whole product that replaces it lacks. */
export function clearedFields(before: ProductRow, draft: ProductDraft): string[] {
  return FIELDS.filter((field) => EMPTY.has(draft[field]) && !EMPTY.has(before[field]))
}
