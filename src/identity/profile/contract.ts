import {
  Contract,
  DateTime,
  Flag,
  Nullable,
  OneOf,
  type Static,
  Text,
  Type,
  Uuid,
} from '../../platform/contract/schema.ts'
import { NewPassword } from '../invitations/contract.ts'
import { PASSWORD_TEXT_MAX } from '../sessions/contract.ts'
import { PAGE_LANGUAGES, Person, UserName } from '../users/contract.ts'

const Language = Nullable(OneOf(PAGE_LANGUAGES), { description: 'Language of the pages; null for the browser’s' })

export const Profile = Contract('Profile', {
  ...Person.properties,
  role: Type.String(),
  language: Language,
  has_password: Flag({ description: 'False for a user who signs in at an outside provider alone' }),
})
export type Profile = Static<typeof Profile>

export const ProfileChange = Contract(
  'ProfileChange',
  { name: Type.Optional(UserName), language: Type.Optional(Language) },
  { examples: [{ name: 'Ann', language: 'en' }] },
)
export type ProfileChange = Static<typeof ProfileChange>

export const PasswordChange = Contract('PasswordChange', {
  old_password: Text({ maxLength: PASSWORD_TEXT_MAX }),
  new_password: NewPassword,
})
export type PasswordChange = Static<typeof PasswordChange>

export const OwnSession = Contract('OwnSession', {
  id: Uuid(),
  current: Flag({ description: 'Whether it is the session of this request' }),
  created_at: DateTime({ description: 'When the person signed in' }),
  expires_at: DateTime(),
  address: Nullable(Type.String(), { description: 'Where the sign-in came from; null when not recorded' }),
  browser: Nullable(Type.String(), { description: 'What the browser said it is; null when not recorded' }),
})
export type OwnSession = Static<typeof OwnSession>
