import { SCOPES } from '../../platform/access/scopes.ts'
import {
  Contract,
  DateTime,
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
import { Person } from '../users/contract.ts'

export const ApiKey = Contract('ApiKey', {
  id: Uuid(),
  name: Type.String(),
  hint: Type.String({ description: 'First characters of the key, to recognise it by' }),
  scopes: ListOf(OneOf(SCOPES)),
  user: Nullable(Person, { description: 'Whose it is: it never may more than they; null when it is nobody’s' }),
  created_at: DateTime(),
  expires_at: Nullable(DateTime(), { description: 'Null when it never expires' }),
  revoked_at: Nullable(DateTime()),
  last_used_at: Nullable(DateTime(), { description: 'Written down about twice a minute' }),
  issuer: Type.Object(
    {
      kind: OneOf(['key', 'session', 'cli', 'unknown'], {
        description: 'An API key, somebody signed in, the command line, or nobody that was noted',
      }),
      id: Nullable(Uuid(), { description: 'Of that key or session' }),
      user: Nullable(Person, { description: 'Whose that key or session was' }),
    },
    { description: 'Who issued it' },
  ),
})

export type ApiKey = Static<typeof ApiKey>

export const ApiKeyCreate = Contract('ApiKeyCreate', {
  name: Text({ maxLength: KEY_NAME_MAX, description: 'What it is for, to tell it from others' }),
  scopes: ListOf(OneOf(SCOPES), {
    minItems: 1,
    maxItems: SCOPES.length,
    description: 'None that the caller does not have; `knowledge:personal` not for somebody else',
  }),
  user_id: Type.Optional(
    Nullable(Uuid(), {
      description:
        'Whose it is to be, null for nobody’s; a key that belongs to somebody issues keys of theirs only. Without it ' +
        'it belongs to whom the key that issues it does, and is nobody’s where a person issues it',
    }),
  ),
  expires_at: Type.Optional(
    Nullable(DateTime(), {
      description:
        'In the future, null for never; a key that expires issues none that lasts longer. Without it the key expires ' +
        'when the key that issues it does, and never where a person issues it',
    }),
  ),
})

export type ApiKeyCreate = Static<typeof ApiKeyCreate>

export const ApiKeyRevocation = Type.Object({
  with_issued: Type.Optional(
    Type.Boolean({ default: false, description: 'Whether the keys it issued end too, and those that they issued' }),
  ),
})

export const ApiKeysRevoked = Contract('ApiKeysRevoked', {
  revoked: Int({ minimum: 0, description: 'Keys that are revoked by this' }),
})

export type ApiKeysRevoked = Static<typeof ApiKeysRevoked>

export const ApiKeyCreated = Contract('ApiKeyCreated', {
  ...ApiKey.properties,
  key: Type.String({ description: 'The key itself, this once' }),
})

export type ApiKeyCreated = Static<typeof ApiKeyCreated>
