import { Contract, Nullable, type Static, Text, Type } from '../../platform/contract/schema.ts'
import { DEFAULT_SETTINGS, settingFields, TENANT_SETTINGS } from './settings.ts'

/** Most characters of a tenant's name. */
const NAME_MAX = 200

const Name = Text({ maxLength: NAME_MAX, title: 'Name', description: 'Name of the tenant, for people' })

const { language, workspaces, binDays, versionDays, auditDays, vectorWeight, productVectorWeight, variantStrategy } =
  TENANT_SETTINGS
const { searchLog, searchLogQueries, searchLogDays, clickLearning, trustedVisitors, oauthRegistration } =
  TENANT_SETTINGS
const { foreignPictures, requireSecondFactor, searchEngine } = TENANT_SETTINGS

/** Returns a setting's schema with its title and meaning, which the documentation and the console show. */
function describe<T extends object>({ title, meaning, schema }: { title: string; meaning: string; schema: T }): T {
  return { ...schema, title, description: `${meaning[0].toUpperCase()}${meaning.slice(1)}` }
}

/** Schemas of the settings by their names over HTTP. */
export const SETTING_FIELDS = {
  language: describe(language),
  workspaces: describe(workspaces),
  bin_days: describe(binDays),
  version_days: describe(versionDays),
  audit_days: describe(auditDays),
  vector_weight: describe(vectorWeight),
  product_vector_weight: describe(productVectorWeight),
  variant_strategy: describe(variantStrategy),
  search_log: describe(searchLog),
  search_log_queries: describe(searchLogQueries),
  search_log_days: describe(searchLogDays),
  click_learning: describe(clickLearning),
  trusted_visitors: describe(trustedVisitors),
  oauth_registration: describe(oauthRegistration),
  foreign_pictures: describe(foreignPictures),
  require_second_factor: describe(requireSecondFactor),
  search_engine: describe(searchEngine),
}

/** Fields that a tenant's administrators may change. Only an operator decides where the tenant's searches run. */
const { search_engine: _, ...OWN_FIELDS } = SETTING_FIELDS

/** Fields of a change by a tenant's administrators; absent ones stay. */
export const OWN_SETTING_CHANGES = {
  name: Type.Optional(Name),
  ...Type.Partial(Type.Object(OWN_FIELDS)).properties,
}

export const TenantSettings = Contract(
  'TenantSettings',
  {
    name: Name,
    ...OWN_FIELDS,
    search_engine: describe({ ...searchEngine, meaning: `${searchEngine.meaning}. Only the operator sets it` }),
    host: Nullable(Type.String(), {
      description: 'Host of this tenant alone, which only the operator sets; null at the shared address',
    }),
    embedding_model: Nullable(Type.String(), {
      description:
        'Model of the vectors that search compares with, chosen at `/api/knowledge/embedding-models`; null before the ' +
        'first',
    }),
  },
  {
    examples: [
      { name: 'Example', ...settingFields(DEFAULT_SETTINGS), host: null, embedding_model: 'builtin:static-de-en-v2' },
    ],
  },
)
export type TenantSettings = Static<typeof TenantSettings>
