import type { NamedRow } from '../../platform/database/tables.ts'

/** Place of a project or workspace in the order of lists. */
export type NamedPlace = readonly [name: string, id: string]

/** Returns the place of a row, or of a project or workspace in an answer. */
export function placeOf({ name, id }: Pick<NamedRow, 'name' | 'id'>): NamedPlace {
  return [name, id]
}
