import type { Database } from '../platform/database/database.ts'
import type { EmbeddingStatus } from './contract.ts'
import { countJobs } from './jobs.ts'
import type { EmbeddingTargets } from './targets.ts'

/** How far a tenant's embedding is. */
export async function embeddingStatus(
  database: Database,
  targets: EmbeddingTargets,
  tenant: { id: string; embeddingModel: string | null },
  targetModel: string,
): Promise<EmbeddingStatus> {
  const counts = await Promise.all(targets.map((target) => target.count(database.queries, tenant.id, targetModel)))
  const jobs = await countJobs(database.queries, tenant.id, targetModel)
  return {
    model: tenant.embeddingModel,
    target_model: targetModel,
    items: counts.reduce((sum, count) => sum + count.items, 0),
    embedded: counts.reduce((sum, count) => sum + count.embedded, 0),
    pending: jobs.pending,
    failing: jobs.failing,
    last_error: jobs.lastError,
  }
}
