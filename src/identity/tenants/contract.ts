import { Contract, Nullable, type Static, Text, Type } from '../../platform/contract/schema.ts'
import { DEFAULT_SETTINGS, settingFields, TENANT_SETTINGS } from './settings.ts'

/** Most characters of a tenant's name. */
const NAME_MAX = 200

const Name = Text({ maxLength: NAME_MAX, title: 'Name', description: 'Name of the tenant, for people' })

const { language, workspaces, binDays, versionDays, auditDays, vectorWeight, productVectorWeight, variantStrategy } =
  TENANT_SETTINGS
const { searchLog, searchLogQueries, searchLogDays, clickLearning, trustedVisitors, oauthRegistration } =
  TENANT_SETTINGS
const { requireSecondFactor, searchEngine } = TENANT_SETTINGS

/** A setting's schema with its words. */
function worded<T extends object>({ title, meaning, schema }: { title: string; meaning: string; schema: T }): T {
  return { ...schema, title, description: `${meaning[0].toUpperCase()}${meaning.slice(1)}` }
}

/** The settings by their names over HTTP. */
export const SETTING_FIELDS = {
  language: worded(language),
  workspaces: worded(workspaces),
  bin_days: worded(binDays),
  version_days: worded(versionDays),
  audit_days: worded(auditDays),
  vector_weight: worded(vectorWeight),
  product_vector_weight: worded(productVectorWeight),
  variant_strategy: worded(variantStrategy),
  search_log: worded(searchLog),
  search_log_queries: worded(searchLogQueries),
  search_log_days: worded(searchLogDays),
  click_learning: worded(clickLearning),
  trusted_visitors: worded(trustedVisitors),
  oauth_registration: worded(oauthRegistration),
  require_second_factor: worded(requireSecondFactor),
  search_engine: worded(searchEngine),
}

/** What a tenant's own administrators may change. Only an operator decides whose memory and disk its searches take. */
const { search_engine: _, ...OWN_FIELDS } = SETTING_FIELDS

export const TenantSettings = Contract(
  'TenantSettings',
  {
    name: Name,
    ...OWN_FIELDS,
    search_engine: worded({ ...searchEngine, meaning: `${searchEngine.meaning}. Only the operator sets it` }),
    host: Nullable(Type.String(), {
      description: 'Host of this tenant alone, which only the operator sets; null at the shared address',
    }),
    embedding_model: Nullable(Type.String(), {
      description:
        'Model of the vectors that search compares with, which only the operator sets; null before the first',
    }),
  },
  {
    examples: [
      { name: 'Example', ...settingFields(DEFAULT_SETTINGS), host: null, embedding_model: 'builtin:static-de-en-v2' },
    ],
  },
)
export type TenantSettings = Static<typeof TenantSettings>

export const TenantSettingsUpdate = Contract(
  'TenantSettingsUpdate',
  {
    name: Type.Optional(Name),
    ...Type.Partial(Type.Object(OWN_FIELDS)).properties,
  },
  { examples: [{ language: 'en', bin_days: 90 }] },
)
export type TenantSettingsUpdate = Static<typeof TenantSettingsUpdate>
