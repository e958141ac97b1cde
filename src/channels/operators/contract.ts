import {
  Contract,
  DateTime,
  Int,
  ListOf,
  Nullable,
  Num,
  OneOf,
  type Static,
  Text,
  Type,
  Uuid,
} from '../../platform/contract/schema.ts'
import { PageQuery } from '../../platform/contract/paging.ts'
import { KEY_NAME_MAX } from '../../identity/api-keys/api-key.ts'
import { ProviderFailingSince, UnreadReason } from '../../embedding/contract.ts'
import { GRACE_DAYS_MAX } from '../../identity/operators/tenant-life.ts'
import { BEHIND_FIELDS } from '../../search/telemetry/behind.ts'
import { SETTING_FIELDS } from '../../identity/tenants/contract.ts'

const TENANT_ID_MAX = 63
const NAME_MAX = 200
const REFERENCE_MAX = 200
/** A host name has at most 253 characters; a colon and five digits of a port follow. */
const HOST_MAX = 259
const EMAIL_MAX = 401
const GRACE_DAYS = 30

const STATES = ['active', 'suspended', 'removal_planned', 'removing'] as const

const Settings = Contract('OperatedTenantSettings', SETTING_FIELDS)
const SettingsChange = Contract('OperatedTenantSettingsChange', Type.Partial(Type.Object(SETTING_FIELDS)).properties)

const id = Text({ maxLength: TENANT_ID_MAX, description: 'a-z, 0-9 and -; never given again, also after its removal' })
const name = Text({ maxLength: NAME_MAX, description: 'Name for people' })
const host = Nullable(Text({ maxLength: HOST_MAX }), {
  description: 'Host name of this tenant alone, in lower case, with or without a port; null for the shared address',
})
const reference = Nullable(Text({ maxLength: REFERENCE_MAX }), {
  description: 'The operator’s own name for the tenant. Creating again with the same reference creates nothing',
})

/** A tenant as operators see it, without anything that the tenant's people wrote. */
export const OperatedTenant = Contract('OperatedTenant', {
  id: Type.String(),
  name: Type.String(),
  host: Nullable(Type.String()),
  reference: Nullable(Type.String()),
  state: OneOf(STATES, {
    description:
      'A suspended tenant answers every request with 403 `tenant_suspended`. Until its removal begins, a planned one ' +
      'can be cancelled',
  }),
  settings: Settings,
  suspended_at: Nullable(DateTime()),
  remove_at: Nullable(DateTime(), { description: 'When the removal begins, or has begun' }),
  created_at: DateTime(),
})
export type OperatedTenant = Static<typeof OperatedTenant>

export const TenantCreate = Contract(
  'OperatedTenantCreate',
  {
    id,
    name: Type.Optional(Text({ maxLength: NAME_MAX, description: 'Name for people; by default the id' })),
    host: Type.Optional(host),
    reference: Type.Optional(reference),
    settings: Type.Optional(SettingsChange),
    administrator: Type.Optional(
      Nullable(
        Contract('FirstAdministrator', {
          email: Text({ maxLength: EMAIL_MAX }),
          name: Type.Optional(Text({ maxLength: NAME_MAX })),
        }),
        { description: 'The first user, an administrator; the answer has a generated password, only this once' },
      ),
    ),
    api_key: Type.Optional(
      Nullable(
        Contract('FirstApiKey', {
          name: Text({ maxLength: KEY_NAME_MAX }),
          expires_at: Type.Optional(Nullable(DateTime(), { description: 'A time in the future; null for never' })),
        }),
        { description: 'The first key, with the role admin, of the administrator; the answer has it only this once' },
      ),
    ),
  },
  {
    examples: [
      { id: 'acme', name: 'Acme', reference: 'customer-17', settings: { language: 'en' }, api_key: { name: 'Setup' } },
    ],
  },
)
export type TenantCreate = Static<typeof TenantCreate>

export const TenantCreated = Contract('OperatedTenantCreated', {
  tenant: OperatedTenant,
  administrator: Nullable(
    Contract('FirstAdministratorMade', {
      id: Uuid(),
      email: Type.String(),
      password: Type.String({ description: 'Shown only once' }),
    }),
    { description: 'Null when none was asked for, and when the reference was known' },
  ),
  api_key: Nullable(Contract('FirstApiKeyMade', { id: Uuid(), key: Type.String({ description: 'Shown only once' }) }), {
    description: 'Null when none was asked for, and when the reference was known',
  }),
})
export type TenantCreated = Static<typeof TenantCreated>

export const TenantChange = Contract('OperatedTenantChange', {
  name: Type.Optional(name),
  host: Type.Optional(host),
  reference: Type.Optional(reference),
  settings: Type.Optional(SettingsChange),
})
export type TenantChange = Static<typeof TenantChange>

export const TenantParams = Type.Object({ tenant_id: Type.String({ minLength: 1, maxLength: TENANT_ID_MAX }) })

const Filters = {
  state: Type.Optional(OneOf(STATES)),
  host: Type.Optional(Text({ maxLength: HOST_MAX })),
  reference: Type.Optional(Text({ maxLength: REFERENCE_MAX })),
  q: Type.Optional(Text({ maxLength: NAME_MAX, description: 'Part of the id or the name' })),
}

export const TenantQuery = Type.Object({ ...PageQuery.properties, ...Filters })
export type TenantQuery = Static<typeof TenantQuery>

export const RemovalQuery = Type.Object({
  grace_days: Type.Optional(
    Int({
      minimum: 0,
      maximum: GRACE_DAYS_MAX,
      default: GRACE_DAYS,
      description: 'Days until the removal begins; until then it can be cancelled',
    }),
  ),
})
export const removalGraceDays = ({ grace_days: days = GRACE_DAYS }: Static<typeof RemovalQuery>): number => days

const day = (description: string) => Text({ maxLength: 10, description })

const Days = {
  from: Type.Optional(day('First day, such as 2026-11-01, in UTC; by default the first of the month of `to`')),
  to: Type.Optional(day('Last day; by default today')),
}

export const UsageQuery = Type.Object({
  ...PageQuery.properties,
  ...Days,
  ...Filters,
  format: Type.Optional(OneOf(['json', 'csv'], { default: 'json' })),
})
export type UsageQuery = Static<typeof UsageQuery>

export const UsageDaysQuery = Type.Object(Days)
export type UsageDaysQuery = Static<typeof UsageDaysQuery>

const COUNTED = {
  counted_at: Nullable(DateTime(), {
    description: 'When the figures of what the tenant has were taken; null for a tenant that was never counted',
  }),
  entries: Int({ minimum: 0 }),
  products: Int({ minimum: 0, description: 'Also retired ones' }),
  passages: Int({ minimum: 0, description: 'Passages of entries that have a vector' }),
  bytes: Num({ minimum: 0, description: 'Text of entries, their versions, the bin and products, in UTF-8' }),
  users: Int({ minimum: 0, description: 'Users who are not disabled' }),
  api_keys: Int({ minimum: 0, description: 'Keys in force' }),
}

const USED = {
  searches: Num({ minimum: 0 }),
  tokens_embedded: Num({
    minimum: 0,
    description: 'Of texts and queries; estimated where neither provider nor model counts them',
  }),
  requests: Num({ minimum: 0, description: 'Requests with a credential of the tenant, also refused ones' }),
  work_ms: Num({
    minimum: 0,
    description:
      'About how many milliseconds requests, and searches and indexes in the search thread, kept the service at work',
  }),
  transferred_bytes: Num({ minimum: 0, description: 'Bytes of requests and answers' }),
  index_bytes: Num({ minimum: 0, description: 'Most memory that search indexes took in one process' }),
}

export const TenantUsage = Contract('TenantUsage', {
  tenant_id: Type.String(),
  name: Type.String(),
  ...COUNTED,
  ...USED,
})
export type TenantUsage = Static<typeof TenantUsage>

export const TenantUsageByDay = Contract('TenantUsageByDay', {
  tenant_id: Type.String(),
  name: Type.String(),
  ...COUNTED,
  days: ListOf(Contract('UsageDay', { day: Type.String(), ...USED }), {
    description: 'Days without any use are left out',
  }),
})
export type TenantUsageByDay = Static<typeof TenantUsageByDay>

export const OperatorLogItem = Contract('OperatorLogItem', {
  id: Uuid(),
  at: DateTime(),
  action: Type.String({
    description: 'create, update, revoke, suspend, resume, plan_removal, cancel_removal, remove or restore',
  }),
  resource_type: Type.String({ description: 'operator, tenant, or secret_key with its fingerprint' }),
  resource_id: Type.String(),
  operator_id: Nullable(Uuid(), { description: 'Null for the command line and for the service itself' }),
  operator_name: Nullable(Type.String(), { description: 'Name of the operator credential; null without one' }),
  source: Type.String({ description: 'operator (over HTTP), cli or service' }),
})
export type OperatorLogItem = Static<typeof OperatorLogItem>

export const InstallationStatus = Contract('InstallationStatus', {
  version: Type.String(),
  commit: Nullable(Type.String(), { description: 'Commit of the program; null in a copy that does not tell' }),
  database: Type.Object({
    kind: OneOf(['sqlite', 'postgres']),
    version: Nullable(Type.String(), { description: 'Of the database server; null for the embedded one' }),
    migrations: Int({ minimum: 0, description: 'How many are applied' }),
    answers_in_ms: Num({ minimum: 0 }),
    damage: ListOf(Type.String(), {
      description: 'Codes by which the database has told the process that answers of damaged data or a disk that fails',
    }),
  }),
  tenants: Type.Object({
    active: Int({ minimum: 0 }),
    suspended: Int({ minimum: 0, description: 'Also those that are to be removed' }),
  }),
  embedding: Type.Object({
    model: Type.String({ description: 'The configured model' }),
    pending: Int({ minimum: 0, description: 'Waiting jobs of all tenants' }),
    failing: Int({ minimum: 0, description: 'How many of them have failed at least once' }),
    unread_reason: UnreadReason(),
    provider_failing_since: ProviderFailingSince(),
  }),
  search: Nullable(
    Type.Object({
      indexes: Int({ minimum: 0 }),
      documents: Int({ minimum: 0 }),
      passages: Int({ minimum: 0 }),
      ...BEHIND_FIELDS,
      left_out: Int({
        minimum: 0,
        description: 'Documents that no search finds, because the search memory of their tenants is full',
      }),
      refused: Int({ minimum: 0, description: 'Indexes that are not built for a while because they had no room' }),
      bytes: Num({ minimum: 0 }),
      bytes_max: Num({ minimum: 0 }),
    }),
    {
      description:
        'Search memory of all processes that share tenants, and how far their indexes are behind; null while the search thread of the process that answers is down',
    },
  ),
  threads: ListOf(
    Type.Object({
      name: Type.String(),
      down: Type.Boolean(),
      restarts: Int({ minimum: 0, description: 'Since the process started' }),
    }),
    { description: 'Worker threads of the process that answers' },
  ),
  backups: Type.Object(
    {
      every_hours: Nullable(Int({ minimum: 1 }), { description: 'Null: the service makes none by itself' }),
      missing: Type.Boolean({
        description: 'Whether data of more than a day has no backup, or the last one failed or is old',
      }),
      last_success_at: Nullable(DateTime(), { description: 'When the last complete backup began' }),
      last_failure_at: Nullable(DateTime(), { description: 'When the last failed backup began' }),
      failure: Nullable(Type.String(), { description: 'Why it failed' }),
      bytes: Nullable(Num({ minimum: 0 }), { description: 'Data in the last complete backup' }),
      took_seconds: Nullable(Num({ minimum: 0 }), { description: 'How long it took' }),
    },
    { description: 'Backups by the service or by command, of whichever process' },
  ),
  warnings: ListOf(Type.String(), {
    description: 'What the operator should look after, in words; empty when all is well',
  }),
})
export type InstallationStatus = Static<typeof InstallationStatus>
