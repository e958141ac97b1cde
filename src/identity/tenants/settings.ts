import { namedLanguage } from '../../platform/contract/language.ts'
import { Flag, Int, NamedLanguage, Num, OneOf } from '../../platform/contract/schema.ts'
import type { TenantSettings } from '../../platform/access/caller.ts'

export const DEFAULT_SETTINGS: TenantSettings = {
  language: 'de',
  workspaces: false,
  binDays: 30,
  versionDays: 0,
  auditDays: 3_650,
  vectorWeight: 0.5,
  productVectorWeight: 0.5,
  variantStrategy: 'all',
  searchLog: true,
  searchLogQueries: 'keep',
  searchLogDays: 90,
  clickLearning: false,
  trustedVisitors: false,
  oauthRegistration: 'key',
  foreignPictures: false,
  requireSecondFactor: 'off',
  searchEngine: 'memory',
}

const LANGUAGE_MAX = 5
const SEARCH_LOG_DAYS_MAX = 3_650
const BIN_DAYS_MAX = 365
const VERSION_DAYS_MAX = 3_650
/** An attacker with a short time of access cannot have its audit records deleted soon after. */
const AUDIT_DAYS_MIN = 30
const AUDIT_DAYS_MAX = 3_650
const WEIGHT_MAX = 10

const weight = () => Num({ minimum: 0, maximum: WEIGHT_MAX })

/**
 * Settings of a tenant by their names in code and on the command line: the name over HTTP, the words that the console
 * and the documentation show, and the schema of its values. Every way to change a setting uses this table.
 */
export const TENANT_SETTINGS = {
  language: {
    field: 'language',
    title: 'Language',
    meaning: 'language of entries that state none and whose text does not tell, such as de, en or pt-BR',
    schema: NamedLanguage({ minLength: 2, maxLength: LANGUAGE_MAX }),
  },
  workspaces: {
    field: 'workspaces',
    title: 'Closed workspaces',
    meaning: 'true shows entries of a workspace to its members only',
    schema: Flag(),
  },
  binDays: {
    field: 'bin_days',
    title: 'Days in the bin',
    meaning: `days that deleted entries rest in the bin, 0 to ${BIN_DAYS_MAX}; 0 deletes for good at once`,
    schema: Int({ minimum: 0, maximum: BIN_DAYS_MAX }),
  },
  versionDays: {
    field: 'version_days',
    title: 'Days of earlier versions',
    meaning: `days that a version of an entry is kept after a later one replaced it, 0 to ${VERSION_DAYS_MAX}; 0 keeps all`,
    schema: Int({ minimum: 0, maximum: VERSION_DAYS_MAX }),
  },
  auditDays: {
    field: 'audit_days',
    title: 'Days in the audit log',
    meaning: `days that audit records are kept, ${AUDIT_DAYS_MIN} to ${AUDIT_DAYS_MAX}`,
    schema: Int({ minimum: AUDIT_DAYS_MIN, maximum: AUDIT_DAYS_MAX }),
  },
  vectorWeight: {
    field: 'vector_weight',
    title: 'Weight of meaning in entry search',
    meaning: `weight of meaning beside keywords in hybrid search, 0 to ${WEIGHT_MAX}`,
    schema: weight(),
  },
  productVectorWeight: {
    field: 'product_vector_weight',
    title: 'Weight of meaning in product search',
    meaning: `weight of meaning beside keywords in hybrid search for products, 0 to ${WEIGHT_MAX}`,
    schema: weight(),
  },
  variantStrategy: {
    field: 'variant_strategy',
    title: 'Variants in product search',
    meaning: 'which products of a variant family search shows: all, children_only or parents_only',
    schema: OneOf(['all', 'children_only', 'parents_only']),
  },
  searchLog: {
    field: 'search_log',
    title: 'Search log',
    meaning: 'false stops logging searches; clicks are still stored',
    schema: Flag(),
  },
  searchLogQueries: {
    field: 'search_log_queries',
    title: 'Query texts in the search log',
    meaning: 'keep, or none to log searches without their query text',
    schema: OneOf(['keep', 'none']),
  },
  searchLogDays: {
    field: 'search_log_days',
    title: 'Days in the search log',
    meaning: `days that searches and clicks are kept, 1 to ${SEARCH_LOG_DAYS_MAX}`,
    schema: Int({ minimum: 1, maximum: SEARCH_LOG_DAYS_MAX }),
  },
  clickLearning: {
    field: 'click_learning',
    title: 'Learning from clicks',
    meaning: 'true lets clicks move products in search; off unless set',
    schema: Flag(),
  },
  trustedVisitors: {
    field: 'trusted_visitors',
    title: 'Trusted visitor ids',
    meaning: 'true trusts every visitor_id: set it only if none but your own servers log searches and clicks',
    schema: Flag(),
  },
  oauthRegistration: {
    field: 'oauth_registration',
    title: 'Registration of OAuth clients',
    meaning:
      'who may register OAuth clients: key (holders of an API key), open (also assistants themselves) or off (nobody)',
    schema: OneOf(['key', 'open', 'off']),
  },
  foreignPictures: {
    field: 'foreign_pictures',
    title: 'Pictures of other servers',
    meaning:
      'true shows pictures that entries have at https addresses of other servers, which then learn when and from where ' +
      'an entry is read; false shows links to them',
    schema: Flag(),
  },
  requireSecondFactor: {
    field: 'require_second_factor',
    title: 'Second factor',
    meaning:
      'who needs a second factor to work in a browser: off (nobody), on (people who sign in with a password) or all ' +
      '(also those who sign in at the outside provider)',
    schema: OneOf(['off', 'on', 'all']),
  },
  searchEngine: {
    field: 'search_engine',
    title: 'Search engine',
    meaning:
      'memory searches in the memory of the service; pgvector in PostgreSQL, for tenants that outgrow that memory',
    schema: OneOf(['memory', 'pgvector']),
  },
} as const satisfies Readonly<Record<keyof TenantSettings, object>>

/** Bounds of a setting's values, as its schema states them. */
interface Bounds {
  readonly type?: string
  readonly enum?: readonly string[]
  readonly minimum?: number
  readonly maximum?: number
  readonly 'x-language'?: string
}

/**
 * Reads the value of a setting that is written as text, on the command line.
 * @throws Error whose message continues "NAME …"
 */
export function readSetting(name: keyof TenantSettings, raw: string): unknown {
  const bounds = TENANT_SETTINGS[name].schema as Bounds
  if (bounds['x-language'] !== undefined) return readLanguage(raw)
  if (bounds.type === 'boolean') return readFlag(raw)
  if (bounds.enum !== undefined) return readWord(raw, bounds.enum)
  return readNumber(raw, bounds.type === 'integer', bounds.minimum!, bounds.maximum!)
}

function readLanguage(raw: string): string {
  const tag = namedLanguage(raw)
  if (tag === null || tag.length > LANGUAGE_MAX) throw new Error('must be a language code such as de or en')
  return tag
}

function readFlag(raw: string): boolean {
  if (raw !== 'true' && raw !== 'false') throw new Error('must be true or false')
  return raw === 'true'
}

function readWord(raw: string, words: readonly string[]): string {
  if (!words.includes(raw)) throw new Error(`must be ${words.slice(0, -1).join(', ')} or ${words.at(-1)!}`)
  return raw
}

function readNumber(raw: string, isWhole: boolean, min: number, max: number): number {
  const value = Number(raw)
  const hasForm = isWhole ? /^\d+$/.test(raw) : raw.trim() !== ''
  if (!hasForm || !(value >= min && value <= max)) {
    throw new Error(`must be a ${isWhole ? 'whole number' : 'number'} from ${min} to ${max}`)
  }
  return value
}

/** Parses the settings in a row: JSON of the values that the tenant has set. */
export function parseSettings(stored: string): TenantSettings {
  return stored === '{}'
    ? DEFAULT_SETTINGS
    : { ...DEFAULT_SETTINGS, ...(JSON.parse(stored) as Partial<TenantSettings>) }
}

/** Returns settings by their names over HTTP. */
export function settingFields(settings: TenantSettings): Record<string, unknown> {
  const entries = Object.entries(TENANT_SETTINGS) as [keyof TenantSettings, { readonly field: string }][]
  return Object.fromEntries(entries.map(([name, { field }]) => [field, settings[name]]))
}

/** Returns settings by their names in code; absent fields are left out. @param fields by their names over HTTP */
export function settingsOf(fields: Readonly<Record<string, unknown>>): Partial<TenantSettings> {
  const entries = Object.entries(TENANT_SETTINGS).flatMap(([name, { field }]) =>
    fields[field] === undefined ? [] : [[name, fields[field]]],
  )
  return Object.fromEntries(entries) as Partial<TenantSettings>
}
