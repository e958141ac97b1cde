import { collectionContracts } from '../collections/contract.ts'
import { Contract, ListOf, Type, Uuid } from '../../platform/contract/schema.ts'

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
})
