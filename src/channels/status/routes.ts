import type { RoutePlugin } from '../../platform/http/route.ts'
import { TenantStatus } from './contract.ts'
import type { StatusRules } from './rules.ts'

/** Returns the route with the state of the service for administrators of a tenant. */
export function statusRoutes(rules: StatusRules): RoutePlugin {
  return (app) => {
    app.route({
      method: 'GET',
      url: '/api/knowledge/status',
      schema: {
        operationId: 'getStatus',
        tags: ['Operation'],
        summary: 'How the service is for the tenant',
        description: 'Version, embedding, search memory of the tenant, and what to look after, in words.',
        response: { 200: TenantStatus },
      },
      config: { scopes: ['tenant:admin'] },
      handler: (request) => rules.status(request.caller),
    })
  }
}
