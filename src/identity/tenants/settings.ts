import type { TenantSettings } from '../../platform/access/caller.ts'

export const DEFAULT_SETTINGS: TenantSettings = {
  language: 'de',
  workspaces: false,
  vectorWeight: 0.5,
  productVectorWeight: 0.3,
  variantStrategy: 'all',
  searchLog: true,
  searchLogQueries: 'keep',
  searchLogDays: 90,
  clickLearning: false,
  trustedVisitors: false,
  oauthRegistration: 'key',
}

const SEARCH_LOG_DAYS_MAX = 3_650

interface SettingRule {
  readonly meaning: string
  /** @throws Error whose message continues "NAME …" */
  readonly read: (raw: string) => unknown
}

/** What `knowledge tenant set` may change, by the name it has on the command line. */
export const TENANT_SETTINGS: Readonly<Record<keyof TenantSettings, SettingRule>> = {
  language: {
    meaning: 'language of entries that name none (2 to 5 characters)',
    read(raw) {
      if (!/^[a-zA-Z-]{2,5}$/.test(raw)) throw new Error('must be a language code such as de or en')
      return raw
    },
  },
  workspaces: {
    meaning: 'true shows workspace entries to members of their workspace only',
    read: readFlag,
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
    meaning: 'what product search shows of a family: all, children_only or parents_only',
    read(raw) {
      if (raw !== 'all' && raw !== 'children_only' && raw !== 'parents_only') {
        throw new Error('must be all, children_only or parents_only')
      }
      return raw
    },
  },
  searchLog: { meaning: 'false logs no searches; clicks are kept all the same', read: readFlag },
  searchLogQueries: {
    meaning: 'keep, or none to log searches without what was searched for',
    read(raw) {
      if (raw !== 'keep' && raw !== 'none') throw new Error('must be keep or none')
      return raw
    },
  },
  searchLogDays: {
    meaning: `days that searches and clicks are kept, 1 to ${SEARCH_LOG_DAYS_MAX}`,
    read(raw) {
      const value = Number(raw)
      if (!/^\d+$/.test(raw) || value < 1 || value > SEARCH_LOG_DAYS_MAX) {
        throw new Error(`must be a whole number from 1 to ${SEARCH_LOG_DAYS_MAX}`)
      }
      return value
    },
  },
  clickLearning: { meaning: 'true lets clicks move products in search; off unless set', read: readFlag },
  trustedVisitors: {
    meaning: 'true believes every visitor_id: only where your own servers alone log searches and clicks',
    read: readFlag,
  },
  oauthRegistration: {
    meaning: 'who registers OAuth clients: key (holders of a key), open (assistants themselves too) or off',
    read(raw) {
      if (raw !== 'key' && raw !== 'open' && raw !== 'off') throw new Error('must be key, open or off')
      return raw
    },
  },
}

function readWeight(raw: string): number {
  const value = Number(raw)
  if (raw.trim() === '' || !(value >= 0 && value <= 10)) throw new Error('must be a number from 0 to 10')
  return value
}

function readFlag(raw: string): boolean {
  if (raw !== 'true' && raw !== 'false') throw new Error('must be true or false')
  return raw === 'true'
}

/** Settings as stored: JSON of what differs from the defaults. */
export function parseSettings(stored: string): TenantSettings {
  return stored === '{}'
    ? DEFAULT_SETTINGS
    : { ...DEFAULT_SETTINGS, ...(JSON.parse(stored) as Partial<TenantSettings>) }
}
