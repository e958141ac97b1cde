import { canonicalLanguage } from '../../platform/contract/language.ts'
import type { TenantSettings } from '../../platform/access/caller.ts'

export const DEFAULT_SETTINGS: TenantSettings = {
  language: 'de',
  workspaces: false,
  binDays: 30,
  vectorWeight: 0.5,
  productVectorWeight: 0.5,
  variantStrategy: 'all',
  searchLog: true,
  searchLogQueries: 'keep',
  searchLogDays: 90,
  clickLearning: false,
  trustedVisitors: false,
  oauthRegistration: 'key',
  requireSecondFactor: 'off',
}

const SEARCH_LOG_DAYS_MAX = 3_650
const BIN_DAYS_MAX = 365

interface SettingRule {
  readonly meaning: string
  /** @throws Error whose message continues "NAME …" */
  readonly read: (raw: string) => unknown
}

/** Settings that `knowledge tenant set` can change, by their names on the command line. */
export const TENANT_SETTINGS: Readonly<Record<keyof TenantSettings, SettingRule>> = {
  language: {
    meaning: 'language of entries that state none and whose text does not tell (2 to 5 characters)',
    read(raw) {
      const tag = canonicalLanguage(raw)
      if (tag === null || tag.length > 5) throw new Error('must be a language code such as de or en')
      return tag
    },
  },
  workspaces: {
    meaning: 'true shows entries of a workspace to its members only',
    read: readFlag,
  },
  binDays: {
    meaning: `days that deleted entries rest in the bin, 0 to ${BIN_DAYS_MAX}; 0 deletes for good at once`,
    read: (raw) => readDays(raw, 0, BIN_DAYS_MAX),
  },
  vectorWeight: {
    meaning: 'weight of meaning beside keywords in hybrid search, 0 to 10',
    read: readWeight,
  },
  productVectorWeight: {
    meaning: 'weight of meaning beside keywords in hybrid search for products, 0 to 10',
    read: readWeight,
  },
  variantStrategy: {
    meaning: 'which products of a variant family search shows: all, children_only or parents_only',
    read(raw) {
      if (raw !== 'all' && raw !== 'children_only' && raw !== 'parents_only') {
        throw new Error('must be all, children_only or parents_only')
      }
      return raw
    },
  },
  searchLog: { meaning: 'false stops logging searches; clicks are still stored', read: readFlag },
  searchLogQueries: {
    meaning: 'keep, or none to log searches without their query text',
    read(raw) {
      if (raw !== 'keep' && raw !== 'none') throw new Error('must be keep or none')
      return raw
    },
  },
  searchLogDays: {
    meaning: `days that searches and clicks are kept, 1 to ${SEARCH_LOG_DAYS_MAX}`,
    read: (raw) => readDays(raw, 1, SEARCH_LOG_DAYS_MAX),
  },
  clickLearning: { meaning: 'true lets clicks move products in search; off unless set', read: readFlag },
  trustedVisitors: {
    meaning: 'true trusts every visitor_id: set it only if none but your own servers log searches and clicks',
    read: readFlag,
  },
  oauthRegistration: {
    meaning:
      'who may register OAuth clients: key (holders of an API key), open (also assistants themselves) or off (nobody)',
    read(raw) {
      if (raw !== 'key' && raw !== 'open' && raw !== 'off') throw new Error('must be key, open or off')
      return raw
    },
  },
  requireSecondFactor: {
    meaning:
      'who needs a second factor to work in a browser: off (nobody), on (people who sign in with a password) or all ' +
      '(also those who sign in at the outside provider)',
    read(raw) {
      if (raw !== 'off' && raw !== 'on' && raw !== 'all') throw new Error('must be off, on or all')
      return raw
    },
  },
}

function readWeight(raw: string): number {
  const value = Number(raw)
  if (raw.trim() === '' || !(value >= 0 && value <= 10)) throw new Error('must be a number from 0 to 10')
  return value
}

function readDays(raw: string, min: number, max: number): number {
  const value = Number(raw)
  if (!/^\d+$/.test(raw) || value < min || value > max) {
    throw new Error(`must be a whole number from ${min} to ${max}`)
  }
  return value
}

function readFlag(raw: string): boolean {
  if (raw !== 'true' && raw !== 'false') throw new Error('must be true or false')
  return raw === 'true'
}

/** Reads stored settings: JSON of the values that differ from the defaults. */
export function parseSettings(stored: string): TenantSettings {
  return stored === '{}'
    ? DEFAULT_SETTINGS
    : { ...DEFAULT_SETTINGS, ...(JSON.parse(stored) as Partial<TenantSettings>) }
}
