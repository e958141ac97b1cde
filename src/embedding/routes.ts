import type { Database } from '../platform/database/database.ts'
import type { RoutePlugin } from '../platform/http/route.ts'
import { EmbeddingStatus } from './contract.ts'
import { embeddingStatus } from './status.ts'
import type { EmbeddingTargets } from './targets.ts'

/** @param targetModel id of the embedder that is configured */
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
