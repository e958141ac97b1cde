import { pageIn, PageQuery } from '../../platform/contract/paging.ts'
import type { RoutePlugin } from '../../platform/http/route.ts'
import { ListOf, NoContent, UuidParams } from '../../platform/contract/schema.ts'
import { sendPage } from '../../platform/http/answers/send-page.ts'
import { compileSerialiser } from '../../platform/contract/serialise.ts'
import { signInFacts } from '../sessions/routes.ts'
import type { KeyAdministration } from './key-rules.ts'
import {
  ApiKey,
  ApiKeyCreate,
  ApiKeyCreated,
  ApiKeyRevocation,
  ApiKeysRevoked,
  PublishableKeyCreate,
} from './contract.ts'

const url = '/api/knowledge/api-keys'
const scopes = ['tenant:admin'] as const
const writeKey = compileSerialiser(ApiKey)

/** Routes for keys of the caller's tenant. */
export function keyRoutes(administration: KeyAdministration): RoutePlugin {
  return (app) => {
    app.route({
      method: 'GET',
      url,
      schema: {
        operationId: 'listApiKeys',
        tags: ['API keys'],
        summary: 'List the API keys of the tenant',
        description:
          'Oldest first, including revoked and expired ones. The keys themselves are not stored. The Link header names ' +
          'the next page.',
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
          'The answer holds the key itself, only this once; the service stores its hash. A key never has more ' +
          'permissions than its issuer (403), nor more than its user’s role at the time of a request. A key that expires ' +
          'issues no key that lasts longer, and a key with a user issues keys of that user only (403); a signed-in ' +
          'person may issue any. An access token issues none. A signed-in person confirms a key with `tenant:admin` by ' +
          '`confirmation`, else the answer is 403 of type `proof_needed`.',
        body: ApiKeyCreate,
        response: { 201: ApiKeyCreated },
      },
      config: { scopes },
      handler: async (request, reply) => {
        const created = await administration.issue(request.caller, request.body, signInFacts(request))
        reply.code(201)
        return created
      },
    })
    app.route({
      method: 'POST',
      url: `${url}/publishable`,
      schema: {
        operationId: 'createPublishableKey',
        tags: ['API keys'],
        summary: 'Issue a publishable key',
        description:
          'A key that pages may contain, for a search box without a server of your own. It searches, suggests and ' +
          'reports clicks, sees what is public, and works on pages of its origins. Everybody can read it there. It is ' +
          'listed and revoked like every other key, and lasts no longer than what issued it.',
        body: PublishableKeyCreate,
        response: { 201: ApiKeyCreated },
      },
      config: { scopes },
      handler: async (request, reply) => {
        const created = await administration.issuePublishable(request.caller, request.body)
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
          'The key is refused from its next request on, and stays in the list. `with_issued` also revokes every key ' +
          'that it issued, directly or through others; the answer then says how many keys this revoked, and the key ' +
          'itself may be revoked already.',
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
  }
}
