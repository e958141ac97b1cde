import { Contract, Flag, Int, ListOf, OneOf, type Static, Type, Uuid } from '../../../platform/contract/schema.ts'

export const ProductBulkDelete = Type.Object(
  {
    external_ids: ListOf(Type.String({ maxLength: 200 }), { minItems: 1, maxItems: 500 }),
    dry_run: Type.Optional(Flag({ default: false, description: 'Delete nothing, only say what would be' })),
  },
  { $id: 'ProductBulkDelete', additionalProperties: false, description: 'Unknown fields are refused' },
)
export type ProductBulkDelete = Static<typeof ProductBulkDelete>

export const ProductBulkDeleted = Contract('ProductBulkDeleted', {
  dry_run: Flag(),
  matched: Int({ minimum: 0, description: 'Products that `external_ids` names' }),
  deleted: Int({ minimum: 0 }),
  results: ListOf(
    Type.Object({
      external_id: Type.String(),
      status: OneOf(['deleted', 'not_found'], { description: 'In a dry run, what would become of it' }),
      id: Type.Optional(Uuid({ description: 'Absent where there is no such product' })),
    }),
    { description: 'One for each of `external_ids`, in their order' },
  ),
})
export type ProductBulkDeleted = Static<typeof ProductBulkDeleted>
