import { ROLES } from '../../platform/access/scopes.ts'
import { ORDERED_VISIBILITIES } from '../../platform/access/visibility.ts'
import {
  Contract,
  DateTime,
  Flag,
  Int,
  ListOf,
  Nullable,
  OneOf,
  type Static,
  Text,
  Type,
} from '../../platform/contract/schema.ts'
import { Confirmation } from '../sessions/factors/contract.ts'

/** Most groups of the table. A person may have more: only those that the table names are compared. */
const GROUPS_MAX = 200
const GROUP_NAME_MAX = 200
/** Hours of a working day, as long as a session after a password lasts. */
const SESSION_HOURS_MAX = 12

const SignInGroup = Contract('SignInGroup', {
  group: Text({ maxLength: GROUP_NAME_MAX, description: 'Name or id of the group, as the provider writes it' }),
  role: OneOf(ROLES, { description: 'Role of its members' }),
  ceiling: Nullable(OneOf(ORDERED_VISIBILITIES), {
    description:
      'Highest level of visibility that its members see, at most that of the role; null for that of the role',
  }),
})

const EXAMPLE = {
  create_users: true,
  link_by_email: true,
  groups_claim: 'groups',
  groups: [
    { group: 'knowledge-editors', role: 'editor', ceiling: null },
    { group: 'suppliers', role: 'reader', ceiling: 'community' },
  ],
  default_role: null,
  session_hours: 8,
}

export const SignInRules = Contract(
  'SignInRules',
  {
    create_users: Flag({
      title: 'Make users at their first sign-in',
      description: 'Whether a person of the provider becomes a user when the groups or `default_role` give a role',
    }),
    link_by_email: Flag({
      title: 'Link accounts by email address',
      description:
        'Whether a person is the user with the same email address at their first sign-in. The provider must say that ' +
        'the address is verified',
    }),
    link_proof: Type.Optional(
      Flag({
        default: true,
        title: 'Ask for the own password first',
        description:
          'Whether a user who has a password or passkey here proves it once before the account of the provider is linked',
      }),
    ),
    groups_claim: Text({
      maxLength: GROUP_NAME_MAX,
      title: 'Claim with the groups',
      description:
        'Claim of the ID token or of the user info that lists the groups: a list of texts, or one text. A name with ' +
        'dots, such as `realm_access.roles`, also names a claim within a claim',
    }),
    groups: ListOf(SignInGroup, {
      maxItems: GROUPS_MAX,
      title: 'Groups',
      description:
        'What members of a group are. Of several groups the highest role and the highest ceiling count. If there are ' +
        'any, roles follow the groups at each sign-in, and who is in none has no access without `default_role`',
    }),
    default_role: Nullable(OneOf(['reader', 'editor']), {
      title: 'Role without a group',
      description: 'Role of people of the provider who are in none of the groups; null for no access',
    }),
    session_hours: Int({
      minimum: 1,
      maximum: SESSION_HOURS_MAX,
      title: 'Hours until the next sign-in',
      description: 'After this time a person signs in at the provider again, and their groups are read again',
    }),
  },
  { examples: [EXAMPLE] },
)
export type SignInRules = Static<typeof SignInRules>

export const SignInRulesChange = Contract(
  'SignInRulesChange',
  { ...SignInRules.properties, confirmation: Type.Optional(Confirmation) },
  { examples: [EXAMPLE] },
)
export type SignInRulesChange = Static<typeof SignInRulesChange>

/** Rules of a tenant that has set none: existing users sign in with the roles that they have, and no user is made. */
export const DEFAULT_RULES: SignInRules = {
  create_users: false,
  link_by_email: true,
  link_proof: true,
  groups_claim: 'groups',
  groups: [],
  default_role: null,
  session_hours: SESSION_HOURS_MAX,
}

export const SignInProviderState = Contract('SignInProviderState', {
  provider: Nullable(
    Type.Object({
      name: Type.String({ description: 'The text on its button' }),
      issuer: Type.String({ description: 'Address of the provider' }),
      scopes: Type.String({ description: 'What the provider is asked for' }),
      redirect_uri: Type.String({
        description: 'Where the provider sends people back to; it has to be registered there',
      }),
      backchannel_logout_uri: Type.String({
        description: 'Where the provider may say that a session ended; optional to register there',
      }),
      answers: Type.Boolean({ description: 'Whether the provider answered when it was asked last' }),
      checked_at: DateTime({ description: 'When it was asked last, at most ten seconds ago' }),
    }),
    { description: 'Null when the operator has set up none' },
  ),
})
export type SignInProviderState = Static<typeof SignInProviderState>
