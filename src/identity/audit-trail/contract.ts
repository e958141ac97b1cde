import {
  Contract,
  DateTime,
  FreeForm,
  Nullable,
  OneOf,
  type Static,
  Text,
  Type,
  Uuid,
} from '../../platform/contract/schema.ts'
import { PageQuery } from '../../platform/contract/paging.ts'
import { Person } from '../users/contract.ts'

const OUTCOMES = ['done', 'refused'] as const
export const EXPORT_FORMATS = ['jsonl', 'csv'] as const

/** Characters of the longest name of an action, a channel or a kind of thing; far longer than any in use. */
const WORD_MAX = 50
/** Characters of the longest id that a filter takes: the id of an OAuth client may be an address. */
const ID_MAX = 2_000

export const AuditRecord = Contract(
  'AuditRecord',
  {
    id: Uuid(),
    created_at: DateTime(),
    action: Type.String({ description: 'What was done, such as create, update, delete or sign_in' }),
    outcome: OneOf(OUTCOMES, { description: '`refused` for attempts such as sign_in_refused' }),
    resource_type: Type.String({ description: 'Kind of the thing it was done to, such as entry, user or tenant' }),
    resource_id: Type.String(),
    user_id: Nullable(Uuid(), {
      description: 'Null for a credential without a user, the command line and the service',
    }),
    user: Nullable(Person, { description: 'The user of `user_id`; null when there is none, or none any more' }),
    credential_id: Nullable(Type.String(), { description: 'Id of the API key, the session or the grant' }),
    source: Type.String({ description: 'The channel: api, mcp, console, cli, oauth, or service for itself' }),
    client_id: Nullable(Type.String(), { description: 'The OAuth client that the credential was issued to' }),
    claimed_source: Nullable(Type.String(), { description: 'X-Audit-Source as sent: a claim of the caller' }),
    claimed_client_id: Nullable(Type.String(), { description: 'X-Client-Id as sent: a claim of the caller' }),
    details: Nullable(FreeForm(), {
      description: 'Settings before and after, for changes of settings; null for everything else',
    }),
  },
  {
    examples: [
      {
        id: '01979f6e-8e2c-7a55-9d3b-52f1f7f0a001',
        created_at: '2026-01-05T09:30:00.000Z',
        action: 'update',
        outcome: 'done',
        resource_type: 'tenant',
        resource_id: 'default',
        user_id: '01979f6e-8e2c-7a55-9d3b-52f1f7f0a002',
        user: { id: '01979f6e-8e2c-7a55-9d3b-52f1f7f0a002', email: 'ann@example.com', name: 'Ann' },
        credential_id: '01979f6e-8e2c-7a55-9d3b-52f1f7f0a003',
        source: 'console',
        client_id: null,
        claimed_source: null,
        claimed_client_id: null,
        details: { changes: { bin_days: { before: 30, after: 90 } } },
      },
    ],
  },
)
export type AuditRecord = Static<typeof AuditRecord>

const filters = {
  user_id: Type.Optional(Uuid({ description: 'Who did it' })),
  credential_id: Type.Optional(Text({ maxLength: ID_MAX, description: 'With which key, session or grant' })),
  client_id: Type.Optional(Text({ maxLength: ID_MAX, description: 'By which OAuth client' })),
  action: Type.Optional(Text({ maxLength: WORD_MAX, description: 'What was done, such as update' })),
  resource_type: Type.Optional(Text({ maxLength: WORD_MAX, description: 'To what kind of thing, such as entry' })),
  resource_id: Type.Optional(Text({ maxLength: ID_MAX, description: 'To which one' })),
  source: Type.Optional(Text({ maxLength: WORD_MAX, description: 'Through which channel, such as console' })),
  outcome: Type.Optional(OneOf(OUTCOMES)),
  from: Type.Optional(DateTime({ description: 'Records of this time and later' })),
  to: Type.Optional(DateTime({ description: 'Records before this time' })),
}

export const AuditQuery = Type.Object({ ...filters, ...PageQuery.properties })

export const AuditExportQuery = Type.Object({
  ...filters,
  format: Type.Optional(
    OneOf(EXPORT_FORMATS, {
      default: 'jsonl',
      description: 'jsonl: a record in JSON a line. csv: a table with a head line, for spreadsheets',
    }),
  ),
})

export const AuditFilters = Type.Object(filters)
export type AuditFilters = Static<typeof AuditFilters>
