import { NoContent, UuidParams } from '../../platform/contract/schema.ts'
import type { RoutePlugin } from '../../platform/http/route.ts'
import { Confirmed } from '../sessions/factors/contract.ts'
import { signInFacts } from '../sessions/routes.ts'
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
          'caller, nor by a credential that ends (403). A signed-in person confirms it by `confirmation`, else the ' +
          'answer is 403 of type `proof_needed`.',
        params: UuidParams('user_id'),
        body: Confirmed,
        response: { 204: NoContent },
      },
      config: { scopes: ['tenant:admin'], errors: [404], bodyOptional: true },
      handler: async (request, reply) => {
        const { caller, params, body } = request
        await resets.reset(caller, params.user_id, body.confirmation, signInFacts(request))
        return reply.code(204).send(null)
      },
    })
  }
}
