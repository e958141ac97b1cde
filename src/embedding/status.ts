import type { Database } from '../database/database.ts'
import { Contract, Int, Nullable, type Static, Type } from '../http/schema.ts'
import type { RoutePlugin } from '../http/route.ts'
import { countJobs } from './jobs.ts'
import type { EmbeddingTargets } from './targets.ts'

export const EmbeddingStatus = Contract('EmbeddingStatus', {
  model: Nullable(Type.String(), { description: 'The model search compares with; null before the first entry' }),
  target_model: Type.String({ description: 'The configured model; differs from `model` while the tenant moves to it' }),
  items: Int({ minimum: 0, description: 'Entries and products that want vectors' }),
  embedded: Int({ minimum: 0, description: 'Of those, how many have vectors of the target model' }),
  pending: Int({ minimum: 0, description: 'Jobs that wait' }),
  failing: Int({ minimum: 0, description: 'Waiting jobs that have failed at least once and are tried again' }),
  last_error: Nullable(Type.String()),
})
export type EmbeddingStatus = Static<typeof EmbeddingStatus>

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

export function embeddingRoutes(database: Database, targets: EmbeddingTargets, targetModel: string): RoutePlugin {
  return (app) => {
    app.route({
      method: 'GET',
      url: '/api/knowledge/embedding-status',
      schema: {
        operationId: 'getEmbeddingStatus',
        tags: ['Operation'],
        summary: 'How far embedding is',
        response: { 200: EmbeddingStatus },
      },
      config: { scopes: ['tenant:admin'] },
      handler: (request) => embeddingStatus(database, targets, request.caller.tenant, targetModel),
    })
  }
}
