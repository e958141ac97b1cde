import { BUILTIN_MODELS } from './builtin/names.ts'
import type { EmbeddingSettings } from './provider.ts'

/** Ids of the models that lie in the process, whatever the provider. */
export const BUILTIN_IDS: readonly string[] = Object.values(BUILTIN_MODELS)

/** The models of a tenant, as its row has them. */
export interface TenantModels {
  /** Id of the model that its searches compare with; null before its first vectors. */
  readonly model: string | null
  /** Id of the model that the tenant has chosen; null while it leaves the choice to the installation. */
  readonly choice: string | null
}

/** The models that the settings of a process give to tenants without a choice. */
export interface InstalledModels {
  /** Id of the configured model, which a tenant without vectors gets. */
  readonly configured: string
  /** Ids of the models with which a tenant stays that has one of them. */
  readonly kept: readonly string[]
}

/**
 * Returns the models of an installation. One that uses the built-in models moves nobody from one of them to another, so
 * that neither an update nor EMBEDDING_MODEL changes the searches of tenants that have vectors. Another provider is a
 * decision of the operator for all tenants without a choice of their own.
 * @param configured id of the configured embedder
 */
export function installedModels(
  { provider }: Pick<EmbeddingSettings, 'provider'>,
  configured: string,
): InstalledModels {
  return { configured, kept: provider === 'builtin' ? BUILTIN_IDS : [] }
}

/** Returns the id of the model that a tenant should search with: it has that model already, or has to move to it. */
export function targetModel({ model, choice }: TenantModels, { configured, kept }: InstalledModels): string {
  if (choice !== null) return choice
  return model !== null && kept.includes(model) ? model : configured
}
