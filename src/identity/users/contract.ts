import { Contract, type Static, Type, Uuid } from '../../platform/contract/schema.ts'

/** A user, as the owner or author of something. */
export const Person = Contract('Person', {
  id: Uuid(),
  email: Type.String(),
  name: Type.String(),
})

export const User = Contract('User', {
  ...Person.properties,
  role: Type.String({ description: 'reader, editor or admin; bounds what the credentials of the user may do' }),
  disabled: Type.Boolean({ description: 'Whether the user is disabled, with all keys and sessions' }),
})

export type User = Static<typeof User>
