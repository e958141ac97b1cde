import { Contract, Flag, Int, type Static, Uuid } from '../../../platform/contract/schema.ts'

export const CategoryCount = Contract('CategoryCount', {
  category_id: Uuid(),
  entries: Int({ minimum: 0, description: 'Entries of the category itself' }),
  entries_in_subtree: Int({ minimum: 0, description: 'Entries of the category and of all below it' }),
})
export type CategoryCount = Static<typeof CategoryCount>

export const CategoryMerge = Contract('CategoryMerge', {
  into_id: Uuid({ description: 'Category that gets the entries and the categories below' }),
})

export const CategoryMerged = Contract('CategoryMerged', {
  moved_entries: Int({
    minimum: 0,
    description: 'Entries that this call has moved, of those that the caller may read',
  }),
  done: Flag({ description: 'False while entries are left: send the same request again' }),
})
export type CategoryMerged = Static<typeof CategoryMerged>
