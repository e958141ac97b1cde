import type { FastifyRequest } from 'fastify'
import type { RoutePlugin } from '../http/route.ts'
import { NoContent } from '../http/schema.ts'
import { Introspection, TokenAnswer, TokenNaming, TokenRequest } from './contract.ts'
import { allowAnyOrigin, answerPreflights, anyOriginReads } from './cors.ts'
import { sendClientError } from './errors.ts'
import { answerWith } from './forward.ts'
import { FORM_BYTES_MAX, ROUTES } from './paths.ts'
import type { RealmFor } from './realm.ts'
import type { TokenRules } from './token-rules.ts'

const tags = ['OAuth']

/** Where clients get tokens, give them back and ask about them. */
export function tokenRoutes(tokens: TokenRules, realmFor: RealmFor): RoutePlugin {
  const callOf = async (request: FastifyRequest<{ Body: Record<string, string | undefined> }>) => ({
    realm: await realmFor(request),
    caller: request.caller,
    form: request.body,
    headers: request.raw.headers,
    remoteAddress: request.ip,
  })
  const handling = {
    bodyLimit: FORM_BYTES_MAX,
    onRequest: allowAnyOrigin,
    errorHandler: anyOriginReads(sendClientError),
  }
  const config = { optional: 'bearer', form: true, errors: [400, 401] } as const
  return (app) => {
    app.route({
      method: 'POST',
      url: ROUTES.token,
      ...handling,
      schema: {
        operationId: 'issueToken',
        tags,
        summary: 'Issue tokens',
        description:
          'RFC 6749, section 3.2. The client authenticates itself (Basic, in the form, or by PKCE alone), or the ' +
          'request carries an API key of its tenant. Refusals are `{"error", "error_description"}`.',
        body: TokenRequest,
        response: { 200: TokenAnswer },
      },
      config,
      handler: async (request, reply) => answerWith(reply, await tokens.issue(await callOf(request))) as never,
    })
    app.route({
      method: 'POST',
      url: ROUTES.revocation,
      ...handling,
      schema: {
        operationId: 'revokeToken',
        tags,
        summary: 'Revoke a token and what was granted with it',
        description: 'RFC 7009. A token that is unknown counts as revoked.',
        body: TokenNaming,
        response: { 200: NoContent },
      },
      config,
      handler: async (request, reply) => answerWith(reply, await tokens.revoke(await callOf(request))) as never,
    })
    app.route({
      method: 'POST',
      url: ROUTES.introspection,
      ...handling,
      schema: {
        operationId: 'introspectToken',
        tags,
        summary: 'Ask whether a token is good',
        description: 'RFC 7662. A client asks for its own tokens, an API key with tenant:admin for all of the tenant.',
        body: TokenNaming,
        response: { 200: Introspection },
      },
      config,
      handler: async (request, reply) => answerWith(reply, await tokens.introspect(await callOf(request))) as never,
    })
    answerPreflights(app, [ROUTES.token, ROUTES.revocation], 'POST')
  }
}
