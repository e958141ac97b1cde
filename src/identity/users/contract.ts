import { ROLES } from '../../platform/access/scopes.ts'
import { ORDERED_VISIBILITIES } from '../../platform/access/visibility.ts'
import { Contract, DateTime, Nullable, OneOf, type Static, Text, Type, Uuid } from '../../platform/contract/schema.ts'

/** Longest email address that `rules.ts` accepts. */
export const EMAIL_LENGTH_MAX = 401
const NAME_LENGTH_MAX = 200
/** Languages of the console's pages and of mail. */
export const PAGE_LANGUAGES = ['de', 'en'] as const
export type PageLanguage = (typeof PAGE_LANGUAGES)[number]

/** A user who owns, wrote or did what the answer describes. */
export const Person = Contract('Person', {
  id: Uuid(),
  email: Type.String(),
  name: Type.String(),
})

const User = Contract('User', {
  ...Person.properties,
  role: Type.String({ description: 'reader, editor or admin; bounds what the credentials of the user may do' }),
  disabled: Type.Boolean({ description: 'Whether the user is disabled, with all keys and sessions' }),
})

/** Name that a person or an administrator gives a user. */
export const UserName = Text({ maxLength: NAME_LENGTH_MAX })

export const GivenRole = OneOf(ROLES, { description: 'Bounds what the credentials of the user may do' })

export const GivenCeiling = Nullable(OneOf(ORDERED_VISIBILITIES), {
  description: 'The highest level that the user sees, where it is below that of the role; null for the role’s',
})

export const UserDetails = Contract('UserDetails', {
  ...User.properties,
  ceiling: GivenCeiling,
  language: Nullable(OneOf(PAGE_LANGUAGES), { description: 'Language of the pages; null for the browser’s' }),
  created_at: DateTime(),
  disabled_at: Nullable(DateTime()),
})
export type UserDetails = Static<typeof UserDetails>

const inDetail = { description: 'Only with `include_details`' }

export const ListedUser = Contract('ListedUser', {
  ...User.properties,
  ceiling: Type.Optional(Nullable(OneOf(ORDERED_VISIBILITIES), inDetail)),
  created_at: Type.Optional(DateTime(inDetail)),
  disabled_at: Type.Optional(Nullable(DateTime(), inDetail)),
})
export type ListedUser = Static<typeof ListedUser>
