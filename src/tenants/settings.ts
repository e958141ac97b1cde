import type { TenantSettings } from '../access/caller.ts'

export const DEFAULT_SETTINGS: TenantSettings = { language: 'de', workspaces: false, vectorWeight: 0.5 }

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
    read(raw) {
      if (raw !== 'true' && raw !== 'false') throw new Error('must be true or false')
      return raw === 'true'
    },
  },
  vectorWeight: {
    meaning: 'weight of meaning beside keywords in hybrid search, 0 to 10',
    read(raw) {
      const value = Number(raw)
      if (raw.trim() === '' || !(value >= 0 && value <= 10)) throw new Error('must be a number from 0 to 10')
      return value
    },
  },
}

/** Settings as stored: JSON of what differs from the defaults. */
export function parseSettings(stored: string): TenantSettings {
  return stored === '{}'
    ? DEFAULT_SETTINGS
    : { ...DEFAULT_SETTINGS, ...(JSON.parse(stored) as Partial<TenantSettings>) }
}
