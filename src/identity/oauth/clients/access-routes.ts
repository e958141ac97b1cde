import { pageIn, PageQuery } from '../../../platform/contract/paging.ts'
import type { RoutePlugin } from '../../../platform/http/route.ts'
import { ListOf, NoContent } from '../../../platform/contract/schema.ts'
import { sendPage } from '../../../platform/http/answers/send-page.ts'
import { compileSerialiser } from '../../../platform/contract/serialise.ts'
import type { OAuthAccessRules } from './access-rules.ts'
import { ClientParams, GrantParams, OAuthClient, OAuthGrant } from '../contract.ts'

const CLIENTS = '/api/knowledge/oauth-clients'
const GRANTS = '/api/knowledge/oauth-grants'
const tags = ['OAuth']
const writeClient = compileSerialiser(OAuthClient)
const writeGrant = compileSerialiser(OAuthGrant)

/** Lists and removes clients and grants, for the console. */
export function oauthAccessRoutes(rules: OAuthAccessRules): RoutePlugin {
  return (app) => {
    app.route({
      method: 'GET',
      url: CLIENTS,
      schema: {
        operationId: 'listOAuthClients',
        tags,
        summary: 'List registered clients',
        description:
          'Newest first. Clients that registered themselves are listed once somebody of the tenant has consented. The ' +
          'Link header names the next page.',
        querystring: PageQuery,
        response: { 200: ListOf(OAuthClient) },
      },
      config: { scopes: ['tenant:admin'], answerHeaders: ['Link'] },
      handler: async (request, reply) => {
        const { items, next } = await rules.clients(request.caller, pageIn(request.query, ['integer', 'string']))
        const keyOf = ({ created_at: at, client_id: id }: (typeof items)[number]) => [Date.parse(at), id]
        return sendPage(request, reply, { items, next, keyOf, write: writeClient })
      },
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
          'Newest first. A signed-in person sees their own grants, a credential with tenant:admin those of the whole ' +
          'tenant. Other credentials are refused. The Link header names the next page.',
        querystring: PageQuery,
        response: { 200: ListOf(OAuthGrant) },
      },
      config: { errors: [403], answerHeaders: ['Link'] },
      handler: async (request, reply) => {
        const { items, next } = await rules.grants(request.caller, pageIn(request.query, ['integer', 'string']))
        const keyOf = ({ created_at: at, id }: (typeof items)[number]) => [Date.parse(at), id]
        return sendPage(request, reply, { items, next, keyOf, write: writeGrant })
      },
    })
    app.route({
      method: 'DELETE',
      url: `${GRANTS}/:grant_id`,
      schema: {
        operationId: 'revokeOAuthGrant',
        tags,
        summary: 'Revoke a grant',
        description:
          'Every token that came from the grant is refused from its next request on. Needs the session of the person ' +
          'who gave the grant, or tenant:admin.',
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
