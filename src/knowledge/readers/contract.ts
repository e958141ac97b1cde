import { VISIBILITIES } from '../../platform/access/visibility.ts'
import { Contract, Int, OneOf, type Static, Type, Uuid } from '../../platform/contract/schema.ts'

export const ReadersQuery = Type.Object({
  visibility: Type.Optional(OneOf(VISIBILITIES, { default: 'internal', description: 'Default: that of a new entry' })),
  workspace_id: Type.Optional(
    Uuid({ description: 'With `workspace`, once the tenant uses workspaces: only its members are counted' }),
  ),
})
export type ReadersQuery = Static<typeof ReadersQuery>

export const Readers = Contract('Readers', {
  people: Int({ minimum: 0, description: 'Active users who may read an entry of this visibility' }),
  total: Int({ minimum: 0, description: 'Active users of the tenant' }),
})
export type Readers = Static<typeof Readers>
