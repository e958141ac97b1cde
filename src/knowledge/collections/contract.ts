import { Contract, DateTime, Int, Nullable, type Static, Text, Type, Uuid } from '../../platform/contract/schema.ts'

const Name = Text({ maxLength: 200 })
const Description = Nullable(Type.String({ maxLength: 5_000 }))

const fields = {
  id: Uuid(),
  tenant_id: Type.String(),
  name: Name,
  description: Description,
  created_at: DateTime(),
  updated_at: DateTime(),
}

/** Returns the contracts of projects or of workspaces, which are alike. */
export function collectionContracts(name: 'Project' | 'Workspace') {
  return {
    Collection: Contract(name, fields),
    Create: Contract(`${name}Create`, { name: Name, description: Type.Optional(Description) }),
    Update: Contract(`${name}Update`, { name: Type.Optional(Name), description: Type.Optional(Description) }),
  }
}

export type Collection = Static<ReturnType<typeof collectionContracts>['Collection']>
export type CollectionCreate = Static<ReturnType<typeof collectionContracts>['Create']>
export type CollectionUpdate = Static<ReturnType<typeof collectionContracts>['Update']>

export const MembershipChange = Contract('MembershipChange', {
  added: Int({ minimum: 0 }),
  removed: Int({ minimum: 0 }),
  total: Int({ minimum: 0, description: 'Members now, as far as the caller may see them' }),
})
export type MembershipChange = Static<typeof MembershipChange>
