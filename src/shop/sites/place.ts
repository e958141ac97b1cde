import type { SiteRow } from '../../platform/database/tables.ts'

/** Place of a site in the order of lists. */
export type SitePlace = readonly [isDefault: number, name: string, id: string]

/** Returns the place of a row, or of a site in an answer. */
export function placeOf(site: Pick<SiteRow, 'name' | 'id'> & { readonly is_default: number | boolean }): SitePlace {
  return [Number(site.is_default), site.name, site.id]
}
