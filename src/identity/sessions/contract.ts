import { SCOPES } from '../../platform/access/scopes.ts'
import { Contract, ListOf, Nullable, OneOf, type Static, Text, Type } from '../../platform/contract/schema.ts'
import { Person } from '../users/contract.ts'

/** As long as an address can be (`tenants/rules.ts`). */
const EMAIL_LENGTH_MAX = 401
/** What is no password is refused like a wrong one; this only bounds the work. */
const PASSWORD_TEXT_MAX = 1_000

export const SignInMethods = Contract('SignInMethods', {
  password: Type.Boolean({ description: 'Whether people sign in with address and password' }),
  provider: Nullable(
    Contract(
      'SignInProvider',
      { name: Type.String({ description: 'What its button says' }) },
      {
        description: 'The outside provider that people may sign in with',
      },
    ),
  ),
})

export const SignIn = Contract('SignIn', {
  email: Text({ maxLength: EMAIL_LENGTH_MAX }),
  password: Text({ maxLength: PASSWORD_TEXT_MAX }),
  tenant: Type.Optional(
    Nullable(Text({ maxLength: 63 }), {
      description: 'Id of the tenant; needed when address and password fit several',
    }),
  ),
})
export type SignIn = Static<typeof SignIn>

const SessionUser = Contract('SessionUser', { ...Person.properties, role: Type.String() })

const SessionTenant = Contract('SessionTenant', {
  id: Type.String(),
  name: Type.String(),
  language: Type.String({ description: 'Language of entries that name none' }),
})

export const Session = Contract('Session', {
  user: Nullable(SessionUser, { description: 'Null for a credential that belongs to nobody' }),
  tenant: SessionTenant,
  scopes: ListOf(OneOf(SCOPES), { description: 'What the credential may do, with the lower ceilings' }),
})
export type Session = Static<typeof Session>
