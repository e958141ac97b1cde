import { collectionContracts } from '../collections/contract.ts'
import { ROLES } from '../../platform/access/scopes.ts'
import { PageQuery } from '../../platform/contract/paging.ts'
import { Contract, Flag, ListOf, OneOf, type Static, Type, Uuid } from '../../platform/contract/schema.ts'

export const {
  Collection: Workspace,
  Create: WorkspaceCreate,
  Update: WorkspaceUpdate,
} = collectionContracts('Workspace')

export const WorkspaceMembers = Contract('WorkspaceMembers', {
  user_ids: ListOf(Uuid(), { minItems: 1, maxItems: 500 }),
})

export const WorkspaceMember = Contract('WorkspaceMember', {
  user_id: Uuid(),
  email: Type.String(),
  name: Type.String(),
  role: Type.Optional(OneOf(ROLES, { description: 'Only with `include_role=true`' })),
  disabled: Type.Optional(Flag({ description: 'Only with `include_role=true`: whether the user is disabled' })),
})

export type WorkspaceMember = Static<typeof WorkspaceMember>

export const WorkspaceMemberQuery = Type.Object({
  include_role: Type.Optional(Flag({ default: false, description: 'Adds role and `disabled` of each member' })),
  ...PageQuery.properties,
})
