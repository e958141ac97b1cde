import type { CategoryRow } from '../../platform/database/tables.ts'

/** Place of a category in the order of lists. */
export type CategoryPlace = readonly [sortOrder: number, name: string, id: string]

/** Returns the place of a row, or of a category in an answer. */
export function placeOf({
  sort_order: order,
  name,
  id,
}: Pick<CategoryRow, 'sort_order' | 'name' | 'id'>): CategoryPlace {
  return [order, name, id]
}
