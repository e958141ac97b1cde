import { SCOPES } from '../../platform/access/scopes.ts'
import {
  Contract,
  DateTime,
  Flag,
  ListOf,
  Nullable,
  OneOf,
  type Static,
  Text,
  Type,
} from '../../platform/contract/schema.ts'
import { EMAIL_LENGTH_MAX, PAGE_LANGUAGES, Person } from '../users/contract.ts'

/**
 * Most characters of a sent password, far more than a password may have. A text between the two limits is refused like
 * a wrong password; a longer one would only cost work.
 */
export const PASSWORD_TEXT_MAX = 1_000

export const SignInMethods = Contract('SignInMethods', {
  password: Type.Boolean({ description: 'Whether people sign in with email address and password' }),
  provider: Nullable(
    Contract(
      'SignInProvider',
      { name: Type.String({ description: 'The text on its button' }) },
      {
        description: 'The outside provider that people may sign in with',
      },
    ),
  ),
  forgotten_password: Type.Optional(
    Type.Boolean({ description: 'Whether the service mails links for new passwords; absent when not' }),
  ),
})

export const SignIn = Contract('SignIn', {
  email: Text({ maxLength: EMAIL_LENGTH_MAX }),
  password: Text({ maxLength: PASSWORD_TEXT_MAX }),
  tenant: Type.Optional(
    Nullable(Text({ maxLength: 63 }), {
      description: 'Id of the tenant; needed when email address and password are right for several tenants',
    }),
  ),
})
export type SignIn = Static<typeof SignIn>

const SessionUser = Contract('SessionUser', {
  ...Person.properties,
  role: Type.String(),
  language: Type.Optional(
    OneOf(PAGE_LANGUAGES, { description: 'Language of the pages; absent when the person has chosen none' }),
  ),
})

const SessionTenant = Contract('SessionTenant', {
  id: Type.String(),
  name: Type.String(),
  language: Type.String({ description: 'Language of entries that state none' }),
  foreign_pictures: Flag({ description: 'Whether pictures at https addresses of other servers are shown in entries' }),
})

export const Session = Contract('Session', {
  user: Nullable(SessionUser, { description: 'Null for a credential without a user' }),
  tenant: SessionTenant,
  scopes: ListOf(OneOf(SCOPES), { description: 'Scopes of the credential, including the lower ceilings' }),
  second_factor: Type.Optional(
    OneOf(['set_up', 'sign_in_again'], {
      description:
        'Absent, or what the tenant demands before this session may do anything else: to set up a second factor, or to ' +
        'sign in again with the one that the person has',
    }),
  ),
  factors_reset_at: Type.Optional(
    DateTime({
      description: 'When an administrator ended the person’s second factors, in the first session after that',
    }),
  ),
})
export type Session = Static<typeof Session>

export const SignedOut = Contract('SignedOut', {
  provider_sign_out: Type.String({
    description: 'Where the browser goes next, to end the session at the outside provider too',
  }),
})
