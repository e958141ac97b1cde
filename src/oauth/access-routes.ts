import type { RoutePlugin } from '../http/route.ts'
import { ListOf, NoContent } from '../http/schema.ts'
import type { OAuthAccessRules } from './access-rules.ts'
import { ClientParams, GrantParams, OAuthClient, OAuthGrant } from './contract.ts'

const CLIENTS = '/api/knowledge/oauth-clients'
const GRANTS = '/api/knowledge/oauth-grants'
const tags = ['OAuth']

/** What was registered and granted, for the console. */
export function oauthAccessRoutes(rules: OAuthAccessRules): RoutePlugin {
  return (app) => {
    app.route({
      method: 'GET',
      url: CLIENTS,
      schema: {
        operationId: 'listOAuthClients',
        tags,
        summary: 'List registered clients',
        description: 'The newest first; those that registered themselves once somebody of the tenant has consented.',
        response: { 200: ListOf(OAuthClient) },
      },
      config: { scopes: ['tenant:admin'] },
      handler: (request) => rules.clients(request.caller),
    })
    app.route({
      method: 'DELETE',
      url: `${CLIENTS}/:client_id`,
      schema: {
        operationId: 'deleteOAuthClient',
        tags,
        summary: 'Remove a client',
        description: 'Its grants and tokens end with it.',
        params: ClientParams,
        response: { 204: NoContent },
      },
      config: { scopes: ['tenant:admin'], errors: [404] },
      handler: async (request, reply) => {
        await rules.removeClient(request.caller, request.params.client_id)
        reply.code(204)
      },
    })
    app.route({
      method: 'GET',
      url: GRANTS,
      schema: {
        operationId: 'listOAuthGrants',
        tags,
        summary: 'List grants',
        description:
          'Of somebody signed in their own; with tenant:admin those of everybody in the tenant. The newest first. ' +
          'Other credentials are refused.',
        response: { 200: ListOf(OAuthGrant) },
      },
      config: { errors: [403] },
      handler: (request) => rules.grants(request.caller),
    })
    app.route({
      method: 'DELETE',
      url: `${GRANTS}/:grant_id`,
      schema: {
        operationId: 'revokeOAuthGrant',
        tags,
        summary: 'Revoke a grant',
        description:
          'Every token that came from it is refused from the next request on. By whoever gave it, signed in, or with ' +
          'tenant:admin.',
        params: GrantParams,
        response: { 204: NoContent },
      },
      config: { errors: [403, 404] },
      handler: async (request, reply) => {
        await rules.revokeGrant(request.caller, request.params.grant_id)
        reply.code(204)
      },
    })
  }
}
