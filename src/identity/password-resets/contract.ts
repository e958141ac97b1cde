import { Contract, DateTime, Nullable, type Static, Text, Type } from '../../platform/contract/schema.ts'
import { LinkToken, NewPassword, ShownLink } from '../invitations/contract.ts'
import { EMAIL_LENGTH_MAX } from '../users/contract.ts'

export const PasswordResetSent = Contract('PasswordResetSent', {
  expires_at: DateTime({ description: 'When the link ends' }),
  link: ShownLink,
})
export type PasswordResetSent = Static<typeof PasswordResetSent>

export const PasswordForgotten = Contract('PasswordForgotten', {
  email: Text({ maxLength: EMAIL_LENGTH_MAX }),
  tenant: Type.Optional(
    Nullable(Text({ maxLength: 63 }), { description: 'Id of the tenant; without it every tenant at this address' }),
  ),
})
export type PasswordForgotten = Static<typeof PasswordForgotten>

export const PasswordReset = Contract('PasswordReset', { token: LinkToken, password: NewPassword })
export type PasswordReset = Static<typeof PasswordReset>

export const PasswordResetLink = Contract('PasswordResetLink', { token: LinkToken })
export type PasswordResetLink = Static<typeof PasswordResetLink>

export const PasswordResetShown = Contract('PasswordResetShown', {
  email: Type.String({ description: 'The address whose password it sets' }),
  tenant_name: Type.String(),
  expires_at: DateTime({ description: 'When the link ends' }),
})
export type PasswordResetShown = Static<typeof PasswordResetShown>
