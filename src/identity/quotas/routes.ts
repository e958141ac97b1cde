import type { RoutePlugin } from '../../platform/http/route.ts'
import { TenantQuotas } from './contract.ts'
import type { QuotaRules } from './rules.ts'

/** Registers the route that shows administrators the quotas of their tenant. */
export function quotaRoutes(rules: QuotaRules): RoutePlugin {
  return (app) => {
    app.route({
      method: 'GET',
      url: '/api/knowledge/quotas',
      schema: {
        operationId: 'getQuotas',
        tags: ['Tenant'],
        summary: 'What the tenant may have and use, and has',
        description: 'The operator sets quotas; null bounds nothing.',
        response: { 200: TenantQuotas },
      },
      config: { scopes: ['tenant:admin'] },
      handler: ({ caller }) => rules.read(caller),
    })
  }
}
