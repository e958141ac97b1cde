import { NoContent, UuidParams } from '../../platform/contract/schema.ts'
import type { RoutePlugin } from '../../platform/http/route.ts'
import type { FactorResets } from './factor-reset-rules.ts'

/** Registers the route that ends a user's second factors. */
export function factorResetRoutes(resets: FactorResets): RoutePlugin {
  return (app) => {
    app.route({
      method: 'DELETE',
      url: '/api/knowledge/users/:user_id/factors',
      schema: {
        operationId: 'resetFactors',
        tags: ['Users'],
        summary: 'Reset a user’s second factors',
        description:
          'For somebody who lost them: ends authenticator app, passkeys, recovery codes and sessions. The user is told ' +
          'at the next sign-in. Never one’s own, also not by a key that one issued, nor those of a user with more rights than the ' +
          'caller, nor by a credential that ends (403).',
        params: UuidParams('user_id'),
        response: { 204: NoContent },
      },
      config: { scopes: ['tenant:admin'], errors: [404] },
      handler: async (request, reply) => {
        await resets.reset(request.caller, request.params.user_id)
        return reply.code(204).send(null)
      },
    })
  }
}
