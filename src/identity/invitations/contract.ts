import { Contract, DateTime, Int, Nullable, type Static, Text, Type, Uuid } from '../../platform/contract/schema.ts'
import { PASSWORD_TEXT_MAX } from '../sessions/contract.ts'
import { Confirmation } from '../sessions/factors/contract.ts'
import { EMAIL_LENGTH_MAX, GivenCeiling, GivenRole, Person, UserName } from '../users/contract.ts'

/** Hours that a link works, unless the invitation names another number. */
export const HOURS_DEFAULT = 72
const HOURS_MAX = 720
/** Far longer than the base64url of 32 random bytes; a token of another form belongs to no link. */
const TOKEN_LENGTH_MAX = 100

export const LinkToken = Text({ maxLength: TOKEN_LENGTH_MAX, description: 'What stands behind the # of the link' })

/** Field of an answer for a link, which is null where the service mails the link. */
export const ShownLink = Nullable(Type.String(), {
  description: 'The link to pass on, shown only this once; null when it was sent by mail',
})

export const NewPassword = Text({ maxLength: PASSWORD_TEXT_MAX, description: '12 to 200 characters' })

export const Invitation = Contract('Invitation', {
  id: Uuid(),
  email: Type.String(),
  role: GivenRole,
  ceiling: GivenCeiling,
  invited_by: Nullable(Person, { description: 'Null when a key without a user invited' }),
  created_at: DateTime({ description: 'When its link was made' }),
  expires_at: DateTime({ description: 'When its link ends' }),
})
export type Invitation = Static<typeof Invitation>

export const InvitationSent = Contract('InvitationSent', { ...Invitation.properties, link: ShownLink })
export type InvitationSent = Static<typeof InvitationSent>

export const InvitationCreate = Contract(
  'InvitationCreate',
  {
    email: Text({ maxLength: EMAIL_LENGTH_MAX }),
    role: GivenRole,
    ceiling: Type.Optional(GivenCeiling),
    expires_in_hours: Type.Optional(
      Int({ minimum: 1, maximum: HOURS_MAX, default: HOURS_DEFAULT, description: 'How long the link works' }),
    ),
    confirmation: Type.Optional(Confirmation),
  },
  { examples: [{ email: 'ann@example.com', role: 'editor' }] },
)
export type InvitationCreate = Static<typeof InvitationCreate>

export const InvitationRenewal = Contract('InvitationRenewal', {
  expires_in_hours: InvitationCreate.properties.expires_in_hours,
  confirmation: InvitationCreate.properties.confirmation,
})
export type InvitationRenewal = Static<typeof InvitationRenewal>

export const InvitationAccept = Contract('InvitationAccept', {
  token: LinkToken,
  name: UserName,
  password: NewPassword,
})
export type InvitationAccept = Static<typeof InvitationAccept>

export const InvitationLink = Contract('InvitationLink', { token: LinkToken })
export type InvitationLink = Static<typeof InvitationLink>

export const InvitationShown = Contract('InvitationShown', {
  email: Type.String({ description: 'The address to sign in with' }),
  role: GivenRole,
  tenant_name: Type.String(),
  invited_by: Nullable(Type.String(), { description: 'Name of the person; null when a key without a user invited' }),
  expires_at: DateTime({ description: 'When the link ends' }),
})
export type InvitationShown = Static<typeof InvitationShown>
