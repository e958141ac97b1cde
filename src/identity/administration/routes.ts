import { pageIn, PageQuery } from '../../platform/contract/paging.ts'
import type { RoutePlugin } from '../../platform/http/route.ts'
import { ListOf, NoContent, UuidParams } from '../../platform/contract/schema.ts'
import { sendPage } from '../../platform/http/answers/send-page.ts'
import { compileSerialiser } from '../../platform/contract/serialise.ts'
import type { TenantAdministration } from './rules.ts'
import { ApiKey, ApiKeyCreate, ApiKeyCreated, ApiKeyRevocation, ApiKeysRevoked } from './contract.ts'
import { User } from '../users/contract.ts'

const url = '/api/knowledge/api-keys'
const scopes = ['tenant:admin'] as const
const writeKey = compileSerialiser(ApiKey)
const writeUser = compileSerialiser(User)

/** Keys and users of the caller's tenant. */
export function tenantRoutes(administration: TenantAdministration): RoutePlugin {
  return (app) => {
    app.route({
      method: 'GET',
      url,
      schema: {
        operationId: 'listApiKeys',
        tags: ['API keys'],
        summary: 'List the API keys of the tenant',
        description:
          'Also those that are revoked or expired, the oldest first. The keys themselves are stored nowhere. The Link ' +
          'header names the next page.',
        querystring: PageQuery,
        response: { 200: ListOf(ApiKey) },
      },
      config: { scopes, answerHeaders: ['Link'] },
      handler: async (request, reply) => {
        const page = pageIn(request.query, ['integer', 'string'])
        const { items, next } = await administration.keys(request.caller, page)
        const keyOf = ({ created_at: createdAt, id }: ApiKey) => [Date.parse(createdAt), id]
        return sendPage(request, reply, { items, next, keyOf, write: writeKey })
      },
    })
    app.route({
      method: 'POST',
      url,
      schema: {
        operationId: 'createApiKey',
        tags: ['API keys'],
        summary: 'Issue an API key',
        description:
          'The answer holds the key itself, this once; only its hash is stored. A key may no more than whoever issues ' +
          'it (403), and never more than its user’s role at the moment of a request. What a key issues lasts no longer ' +
          'than that key and belongs to the same user, where it has an end or a user (403); who is signed in may issue ' +
          'any. An access token issues none.',
        body: ApiKeyCreate,
        response: { 201: ApiKeyCreated },
      },
      config: { scopes },
      handler: async (request, reply) => {
        const created = await administration.issue(request.caller, request.body)
        reply.code(201)
        return created
      },
    })
    app.route({
      method: 'DELETE',
      url: `${url}/:key_id`,
      schema: {
        operationId: 'revokeApiKey',
        tags: ['API keys'],
        summary: 'Revoke an API key',
        description:
          'It is refused from its next request on, and stays in the list. With `with_issued` so is every key that it ' +
          'issued, and whatever these issued, and the answer says how many are revoked by this; the key itself may be ' +
          'revoked already.',
        params: UuidParams('key_id'),
        querystring: ApiKeyRevocation,
        response: { 200: ApiKeysRevoked, 204: NoContent },
      },
      config: { scopes, errors: [404] },
      handler: async (request, reply) => {
        const { caller, params, query } = request
        if (query.with_issued) return { revoked: await administration.revokeWithIssued(caller, params.key_id) }
        await administration.revoke(caller, params.key_id)
        return reply.code(204).send(null)
      },
    })
    app.route({
      method: 'GET',
      url: '/api/knowledge/users',
      schema: {
        operationId: 'listUsers',
        tags: ['Users'],
        summary: 'List the users of the tenant',
        description: 'By their addresses. Made and changed with `knowledge user`. The Link header names the next page.',
        querystring: PageQuery,
        response: { 200: ListOf(User) },
      },
      config: { scopes, answerHeaders: ['Link'] },
      handler: async (request, reply) => {
        const { items, next } = await administration.users(request.caller, pageIn(request.query, ['string']))
        return sendPage(request, reply, { items, next, keyOf: ({ email }) => [email], write: writeUser })
      },
    })
  }
}
