import type { Database } from '../platform/database/database.ts'
import type { EmbeddingStatus } from './contract.ts'
import { countJobs } from './job-store.ts'
import type { EmbeddingTargets } from './targets.ts'

export { countAllJobs, countJobs, deleteJobsOf } from './job-store.ts'
export { tenantsOn } from './model-store.ts'
export { storedTarget } from './target-store.ts'

interface EmbeddingRulesOptions {
  readonly database: Database
  readonly targets: EmbeddingTargets
  /** Id of the configured embedder. */
  readonly targetModel: string
}

/** What administrators may ask about embedding. */
export class EmbeddingRules {
  readonly #database: Database
  readonly #targets: EmbeddingTargets
  readonly #targetModel: string

  constructor({ database, targets, targetModel }: EmbeddingRulesOptions) {
    this.#database = database
    this.#targets = targets
    this.#targetModel = targetModel
  }

  /** Progress of a tenant's embedding. @param tenant includes the model that its search uses */
  async status(tenant: { id: string; embeddingModel: string | null }): Promise<EmbeddingStatus> {
    const { queries } = this.#database
    const model = this.#targetModel
    const counts = await Promise.all(this.#targets.map((target) => target.count(queries, tenant.id, model)))
    const jobs = await countJobs(queries, tenant.id, model)
    return {
      model: tenant.embeddingModel,
      target_model: model,
      items: counts.reduce((sum, count) => sum + count.items, 0),
      embedded: counts.reduce((sum, count) => sum + count.embedded, 0),
      pending: jobs.pending,
      failing: jobs.failing,
      last_error: jobs.lastError,
    }
  }
}
