import { PageQuery } from '../../platform/contract/paging.ts'
import { Contract, DateTime, Int, Nullable, type Static, Text, Type, Uuid } from '../../platform/contract/schema.ts'
import { DEPTH_MAX, NAME_MAX } from './path-names.ts'

/** Most characters of a category's path: the names of all levels with a slash between two. */
export const CATEGORY_PATH_MAX = DEPTH_MAX * (NAME_MAX + 1) - 1
const Name = Text({ maxLength: NAME_MAX })
const Description = Nullable(Type.String({ maxLength: 5_000 }))
const ParentId = Nullable(Uuid(), {
  description: 'Null for the top level. Categories have at most 64 levels',
})

export const Category = Contract('Category', {
  id: Uuid(),
  tenant_id: Type.String(),
  name: Name,
  description: Description,
  parent_id: ParentId,
  sort_order: Int({ minimum: 0 }),
  created_at: DateTime(),
  updated_at: DateTime(),
})
export type Category = Static<typeof Category>

export const CategoryCreate = Contract('CategoryCreate', {
  name: Name,
  description: Type.Optional(Description),
  parent_id: Type.Optional(ParentId),
  sort_order: Type.Optional(Int({ minimum: 0, default: 0 })),
})
export type CategoryCreate = Static<typeof CategoryCreate>

export const CategoryUpdate = Contract('CategoryUpdate', {
  name: Type.Optional(Nullable(Name, { description: 'Null leaves it unchanged' })),
  description: Type.Optional(Description),
  parent_id: Type.Optional(Nullable(Uuid(), { description: 'Null moves it to the top level' })),
  sort_order: Type.Optional(Nullable(Int({ minimum: 0 }), { description: 'Null leaves it unchanged' })),
})
export type CategoryUpdate = Static<typeof CategoryUpdate>

export const CategoryMove = Contract(
  'CategoryMove',
  {
    parent_id: Nullable(Uuid(), { description: 'Category that it goes below; null for the top level' }),
    before_id: Type.Optional(
      Nullable(Uuid(), { description: 'Child of that category which comes next; null, the default, puts it last' }),
    ),
  },
  { examples: [{ parent_id: null, before_id: '01979f6e-8e2c-7a55-9d3b-52f1f7f0a001' }] },
)
export type CategoryMove = Static<typeof CategoryMove>

export const CategoryListQuery = Type.Object({
  parent_id: Type.Optional(Uuid({ description: 'Only direct children of this category' })),
  ...PageQuery.properties,
})
