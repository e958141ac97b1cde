import { Contract, type Static, Type, Uuid } from '../../platform/contract/schema.ts'

/** Somebody, where something says whose it is. */
export const Person = Contract('Person', {
  id: Uuid(),
  email: Type.String(),
  name: Type.String(),
})

export const User = Contract('User', {
  ...Person.properties,
  role: Type.String({ description: 'What they may do at most: reader, editor or admin' }),
  disabled: Type.Boolean({ description: 'Whether they are shut out, with all their keys and sessions' }),
})

export type User = Static<typeof User>
