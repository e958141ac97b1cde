import { Contract, Flag, Int, type Static, Uuid } from '../../../platform/contract/schema.ts'

export const CategoryEntryCount = Contract('CategoryEntryCount', {
  category_id: Uuid(),
  entries: Int({ minimum: 1, description: 'Entries in the category itself that the caller may see' }),
})
export type CategoryEntryCount = Static<typeof CategoryEntryCount>

export const CategoryMerge = Contract('CategoryMerge', {
  into_id: Uuid({ description: 'The category that gets the entries and the categories directly below' }),
})
export type CategoryMerge = Static<typeof CategoryMerge>

export const CategoryMerged = Contract('CategoryMerged', {
  moved_entries: Int({ minimum: 0 }),
  moved_categories: Int({ minimum: 0 }),
  remaining_entries: Int({ minimum: 0, description: 'Not moved yet: send the request again' }),
  merged: Flag({ description: 'Whether everything has moved and the category is gone' }),
})
export type CategoryMerged = Static<typeof CategoryMerged>
