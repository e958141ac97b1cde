import type { RoutePlugin } from '../platform/http/route.ts'
import { EmbeddingStatus } from './contract.ts'
import type { EmbeddingRules } from './rules.ts'

export function embeddingRoutes(rules: EmbeddingRules): RoutePlugin {
  return (app) => {
    app.route({
      method: 'GET',
      url: '/api/knowledge/embedding-status',
      schema: {
        operationId: 'getEmbeddingStatus',
        tags: ['Operation'],
        summary: 'Progress of embedding',
        response: { 200: EmbeddingStatus },
      },
      config: { scopes: ['tenant:admin'] },
      handler: (request) => rules.status(request.caller.tenant),
    })
  }
}
