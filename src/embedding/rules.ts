import type { Database, Queries } from '../platform/database/database.ts'
import type { EmbeddingStatus } from './contract.ts'
import type { EmbeddedKind, VectorColumns } from './embedded-kind.ts'
import type { EmbedderPool } from './embedder-pool.ts'
import * as jobs from './job-store.ts'
import { modelsOf, tenantsOn } from './model-store.ts'
import { type InstalledModels, targetModel, type TenantModels } from './target-model.ts'
import type { ProviderHealth } from './provider-health.ts'
import { storedTarget } from './target-store.ts'
import type { EmbeddingTarget, EmbeddingTargets } from './targets.ts'

interface EmbeddingRulesOptions {
  readonly database: Database
  readonly targets: EmbeddingTargets
  readonly installed: InstalledModels
  readonly provider: Pick<ProviderHealth, 'model' | 'failingSince'>
  /** Tells why texts are not read; see `EmbedderPool`. */
  readonly unreadReason: EmbedderPool['unreadReason']
}

/** Tells administrators how far the embedding of a tenant is. */
export class EmbeddingRules {
  readonly #database: Database
  readonly #targets: EmbeddingTargets
  readonly #installed: InstalledModels
  readonly #provider: EmbeddingRulesOptions['provider']
  readonly #unreadReason: EmbeddingRulesOptions['unreadReason']

  constructor({ database, targets, installed, provider, unreadReason }: EmbeddingRulesOptions) {
    this.#database = database
    this.#targets = targets
    this.#installed = installed
    this.#provider = provider
    this.#unreadReason = unreadReason
  }

  /** Returns the progress of a tenant's embedding. */
  async status(tenant: { readonly id: string }): Promise<EmbeddingStatus> {
    const { queries } = this.#database
    const models = await modelsOf(queries, tenant.id)
    const target = targetModel(models, this.#installed)
    const counts = await Promise.all(this.#targets.map((each) => each.count(queries, tenant.id, target)))
    const waiting = await jobs.countJobs(queries, tenant.id, target)
    // The provider's failures are none of a tenant that neither searches with its model nor moves to it.
    const isProvided = [models.model, target].includes(this.#provider.model)
    const failingSince = isProvided ? this.#provider.failingSince : null
    return {
      model: models.model,
      target_model: target,
      items: counts.reduce((sum, count) => sum + count.items, 0),
      embedded: counts.reduce((sum, count) => sum + count.embedded, 0),
      pending: waiting.pending,
      failing: waiting.failing,
      last_error: waiting.lastError,
      unread_reason: this.#unreadReason(models),
      provider_failing_since: failingSince === null ? null : new Date(failingSince).toISOString(),
    }
  }
}

/** Makes a kind of documents known to the embedding queue, which reads and writes the tables that the kind names. */
export function targetOf<Row extends { readonly id: string }, Vectors extends VectorColumns>(
  kind: EmbeddedKind<Row, Vectors>,
): EmbeddingTarget {
  return storedTarget(kind)
}

/** Counts the items of all tenants that wait for vectors, and those of them that a provider has refused before. */
export function countWaiting(db: Queries): Promise<{ pending: number; failing: number }> {
  return jobs.countAllJobs(db)
}

/**
 * Counts the items of a tenant that wait for vectors of these models.
 * @returns error: the last failure of a provider; null when nothing waits because of one
 */
export async function waitingOf(
  db: Queries,
  tenantId: string,
  models: readonly string[],
): Promise<{ pending: number; error: string | null }> {
  const counts = await Promise.all(models.map((model) => jobs.countJobs(db, tenantId, model)))
  const pending = counts.reduce((sum, count) => sum + count.pending, 0)
  return { pending, error: counts.find((count) => count.lastError !== null)?.lastError ?? null }
}

/** Gives up the jobs of items that are deleted, for all models. @param kind the name of an `EmbeddedKind` */
export function dropJobsOf(tx: Queries, tenantId: string, kind: string, itemIds: readonly string[]): Promise<void> {
  return jobs.deleteJobsOf(tx, tenantId, kind, itemIds)
}

/** Returns the ids of the tenants that search with a model, in any order. */
export function tenantsThatSearchBy(database: Database, model: string): Promise<string[]> {
  return tenantsOn(database, model)
}

/** Returns the models of a tenant: the one that it searches with, and the one that it has chosen. */
export function modelsOfTenant(db: Queries, tenantId: string): Promise<TenantModels> {
  return modelsOf(db, tenantId)
}
