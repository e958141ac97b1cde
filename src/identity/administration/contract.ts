import { ROLES, SCOPES } from '../../platform/access/scopes.ts'
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
  Uuid,
} from '../../platform/contract/schema.ts'
import { KEY_NAME_MAX } from '../api-keys/api-key.ts'
import {
  KEY_SECTIONS,
  KEY_SITES_MAX,
  ORIGIN_LENGTH_MAX,
  ORIGIN_LENGTH_MIN,
  ORIGINS_MAX,
} from '../api-keys/publishable.ts'
import { OAuthClient } from '../oauth/contract.ts'
import { Confirmation } from '../sessions/factors/contract.ts'
import { OWN_SETTING_CHANGES } from '../tenants/contract.ts'
import { GivenCeiling, GivenRole, Person, UserName } from '../users/contract.ts'

export const ApiKey = Contract('ApiKey', {
  id: Uuid(),
  name: Type.String(),
  hint: Type.String({ description: 'First characters of the key, to recognise it' }),
  scopes: ListOf(OneOf(SCOPES)),
  user: Nullable(Person, {
    description: 'The user the key belongs to. A key never has more permissions than its user; null for no user',
  }),
  created_at: DateTime(),
  expires_at: Nullable(DateTime(), { description: 'Null when it never expires' }),
  revoked_at: Nullable(DateTime()),
  last_used_at: Nullable(DateTime(), { description: 'Updated about twice a minute' }),
  issuer: Type.Object(
    {
      kind: OneOf(['key', 'session', 'cli', 'operator', 'hand_over', 'unknown'], {
        description:
          'An API key, the session of a person, the command line, the operator who created the tenant, a user whom the ' +
          'key was handed over to, or not recorded',
      }),
      id: Nullable(Uuid(), { description: 'Id of that key or session' }),
      user: Nullable(Person, { description: 'The user of that key or session' }),
    },
    { description: 'Who issued the key' },
  ),
  publishable: Type.Optional(
    Type.Object(
      {
        origins: ListOf(Type.String(), { description: 'Pages of these origins may use the key' }),
        sections: ListOf(OneOf(KEY_SECTIONS)),
        sites: Nullable(ListOf(Uuid()), { description: 'Null: everything public of the tenant, of any site or none' }),
      },
      { description: 'What a publishable key is bound to; absent for every other key' },
    ),
  ),
})

export type ApiKey = Static<typeof ApiKey>

export const ApiKeyCreate = Contract('ApiKeyCreate', {
  name: Text({ maxLength: KEY_NAME_MAX, description: 'What the key is for, to tell it from others' }),
  scopes: ListOf(OneOf(SCOPES), {
    minItems: 1,
    maxItems: SCOPES.length,
    description: 'Only scopes that the caller has; `knowledge:personal` only for a key of the caller’s own user',
  }),
  user_id: Type.Optional(
    Nullable(Uuid(), {
      description:
        'The user the key belongs to; null for no user. A key with a user issues keys of that user only. By default ' +
        'the user of the key that issues it; none when a person issues it',
    }),
  ),
  expires_at: Type.Optional(
    Nullable(DateTime(), {
      description:
        'A time in the future; null for never. A key that expires issues no key that lasts longer. By default the ' +
        'expiry of the key that issues it; never when a person issues it',
    }),
  ),
  confirmation: Type.Optional(Confirmation),
})

export type ApiKeyCreate = Static<typeof ApiKeyCreate>

export const PublishableKeyCreate = Contract(
  'PublishableKeyCreate',
  {
    name: Text({ maxLength: KEY_NAME_MAX, description: 'What the key is for, to tell it from others' }),
    origins: ListOf(Text({ minLength: ORIGIN_LENGTH_MIN, maxLength: ORIGIN_LENGTH_MAX }), {
      minItems: 1,
      maxItems: ORIGINS_MAX,
      description:
        'Origins of the pages that may use the key: scheme, host and a port that is not the usual one, without a path',
    }),
    sections: ListOf(OneOf(KEY_SECTIONS), {
      minItems: 1,
      maxItems: 10,
      description: 'What the key searches; the caller needs products:read or knowledge:read for it, and search:log',
    }),
    sites: Type.Optional(
      Nullable(ListOf(Text({ maxLength: 1_000 }), { minItems: 1, maxItems: KEY_SITES_MAX }), {
        description:
          'Ids or slugs of the sites it searches: their products, and the entries assigned to them. By default all ' +
          'products and public entries of the tenant',
      }),
    ),
    expires_at: Type.Optional(
      Nullable(DateTime(), { description: 'As for other keys: a time in the future; null for never' }),
    ),
  },
  {
    examples: [{ name: 'Shop search', origins: ['https://shop.example'], sections: ['products'], sites: ['default'] }],
  },
)

export type PublishableKeyCreate = Static<typeof PublishableKeyCreate>

export const ApiKeyRevocation = Type.Object({
  with_issued: Type.Optional(
    Type.Boolean({
      default: false,
      description: 'Whether all keys that it issued, directly or through others, end too',
    }),
  ),
})

export const ApiKeysRevoked = Contract('ApiKeysRevoked', {
  revoked: Int({ minimum: 0, description: 'How many keys this revoked' }),
})

export type ApiKeysRevoked = Static<typeof ApiKeysRevoked>

export const ApiKeyCreated = Contract('ApiKeyCreated', {
  ...ApiKey.properties,
  key: Type.String({ description: 'The key itself, shown only once' }),
})

export type ApiKeyCreated = Static<typeof ApiKeyCreated>

export const UserSignIn = Contract('UserSignIn', {
  has_password: Type.Boolean({
    description: 'False for a user who signs in at an outside provider or with a passkey alone',
  }),
  authenticator_app: Type.Boolean(),
  passkeys: Int({ minimum: 0 }),
  recovery_codes_left: Int({ minimum: 0 }),
})
export type UserSignIn = Static<typeof UserSignIn>

export const UserSession = Contract('UserSession', {
  id: Uuid(),
  created_at: DateTime({ description: 'When the person signed in' }),
  expires_at: DateTime(),
  address: Nullable(Type.String(), { description: 'Where the sign-in came from; null when not recorded' }),
  browser: Nullable(Type.String(), { description: 'What the browser said it is; null when not recorded' }),
})
export type UserSession = Static<typeof UserSession>

export const UserAccess = Contract('UserAccess', {
  own_api_keys: ListOf(ApiKey, {
    description:
      'Keys of the user: refused while the user is disabled, and revoked when the user is erased. With `role` or ' +
      '`ceiling`: those that end because they have no permission left',
  }),
  issued_api_keys: ListOf(ApiKey, {
    description: 'Keys that the user issued for others or for nobody, directly or through other keys',
  }),
  oauth_clients: ListOf(OAuthClient, { description: 'Clients registered by the user or with one of these keys' }),
  narrowed_api_keys: ListOf(ApiKey, {
    description: 'With `role` or `ceiling`: keys of the user that go on without `knowledge:prompts`; else none',
  }),
  narrowed_oauth_clients: ListOf(OAuthClient, {
    description: 'With `role` or `ceiling`: clients that act for the user and lose `knowledge:prompts`; else none',
  }),
})
export type UserAccess = Static<typeof UserAccess>

export const UserAccessQuery = Contract('UserAccessQuery', {
  role: Type.Optional(
    OneOf(ROLES, { description: 'A role that the user would get: only what ends by it. By default the present one' }),
  ),
  ceiling: Type.Optional(
    OneOf(ORDERED_VISIBILITIES, {
      description:
        'A ceiling that the user would get: only what ends by it. By default the present one; `restricted` for that ' +
        'of the role',
    }),
  ),
})
export type UserAccessQuery = Static<typeof UserAccessQuery>

/** Most keys, and most clients, that one request hands over. */
const HANDED_OVER_MAX = 500

export const HandOver = Contract(
  'HandOver',
  {
    to_user_id: Uuid({ description: 'An active administrator with every permission of the keys' }),
    api_keys: Type.Optional(ListOf(Uuid(), { maxItems: HANDED_OVER_MAX, description: 'Ids from `issued_api_keys`' })),
    oauth_clients: Type.Optional(
      ListOf(Text({ maxLength: 2_000 }), { maxItems: HANDED_OVER_MAX, description: 'Ids from `oauth_clients`' }),
    ),
  },
  {
    examples: [
      { to_user_id: '01979f6e-8e2c-7a55-9d3b-52f1f7f0a001', api_keys: ['01979f6e-8e2c-7a55-9d3b-52f1f7f0a002'] },
    ],
  },
)
export type HandOver = Static<typeof HandOver>

export const UserChange = Contract(
  'UserChange',
  {
    name: Type.Optional(UserName),
    role: Type.Optional(GivenRole),
    ceiling: Type.Optional(GivenCeiling),
    disabled: Type.Optional(
      Flag({
        description:
          'true ends the sessions and grants of the user at once, refuses their keys, and ends for good the keys that ' +
          'they issued and the OAuth clients registered with them (`…/access` lists them and hands them over); false ' +
          'lets the user sign in and brings back their own keys',
      }),
    ),
    confirmation: Type.Optional(Confirmation),
  },
  { examples: [{ role: 'editor', ceiling: 'internal' }] },
)
export type UserChange = Static<typeof UserChange>

export const TenantSettingsUpdate = Contract(
  'TenantSettingsUpdate',
  { ...OWN_SETTING_CHANGES, confirmation: Type.Optional(Confirmation) },
  { examples: [{ language: 'en', bin_days: 90 }] },
)
export type TenantSettingsUpdate = Static<typeof TenantSettingsUpdate>
