import type { FastifyRequest } from 'fastify'
import type { RoutePlugin } from '../../../platform/http/route.ts'
import { NoContent, type Static } from '../../../platform/contract/schema.ts'
import type { RealmFor } from '../../tenants/realm.ts'
import { Introspection, OAuthError, TokenAnswer, TokenNaming, TokenRequest } from '../contract.ts'
import { allowAnyOrigin, answerPreflights, anyOriginReads } from '../cors.ts'
import { sendClientError } from '../protocol/errors.ts'
import { answerWith, forward } from '../protocol/forward.ts'
import { ROUTES } from '../paths.ts'
import type { ProviderPool } from '../protocol/provider-pool.ts'
import type { ProviderRequest, TokenCall, TokenRules } from './token-rules.ts'

const tags = ['OAuth']

type RawRequest = Pick<FastifyRequest, 'raw' | 'ip'>
type FormRequest = FastifyRequest<{ Body: Record<string, string | undefined> }>

/** Serves the endpoints where clients get, revoke and introspect tokens. */
export function tokenRoutes(tokens: TokenRules, pool: ProviderPool, realmFor: RealmFor): RoutePlugin {
  const callOf = async (request: FormRequest): Promise<TokenCall> => {
    const { authorization } = request.headers
    return {
      realm: await realmFor(request),
      caller: request.caller,
      form: request.body,
      basicClientId: basicUser(authorization),
      isAuthenticating: authorization !== undefined,
    }
  }
  const pass = async (path: string, { realm }: TokenCall, { form, voucher }: ProviderRequest, request: RawRequest) => {
    const { authorization: _key, ...others } = request.raw.headers
    // The OAuth server never sees an API key.
    const headers = voucher === null ? request.raw.headers : others
    const fields = Object.entries(form).filter((field): field is [string, string] => typeof field[1] === 'string')
    const provider = await pool.of(realm)
    return forward(provider, {
      method: 'POST',
      url: path,
      headers,
      form: Object.fromEntries(fields),
      remoteAddress: request.ip,
      voucher,
    })
  }
  const handling = {
    onRequest: allowAnyOrigin,
    errorHandler: anyOriginReads(sendClientError),
  }
  const config = { optional: 'bearer', form: true, errors: [400, 401], refusal: OAuthError } as const
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
      handler: async (request, reply) => {
        const call = await callOf(request)
        return answerWith(reply, await pass(ROUTES.token, call, await tokens.issue(call), request)) as never
      },
    })
    app.route({
      method: 'POST',
      url: ROUTES.revocation,
      ...handling,
      schema: {
        operationId: 'revokeToken',
        tags,
        summary: 'Revoke a token with its grant',
        description: 'RFC 7009. The whole grant ends. An unknown token counts as revoked.',
        body: TokenNaming,
        response: { 200: NoContent },
      },
      config,
      handler: async (request, reply) => {
        const call = await callOf(request)
        return answerWith(reply, await pass(ROUTES.revocation, call, await tokens.asClient(call), request)) as never
      },
    })
    app.route({
      method: 'POST',
      url: ROUTES.introspection,
      // Without CORS, because the endpoint is for servers that hold a secret, not for web pages.
      errorHandler: sendClientError,
      schema: {
        operationId: 'introspectToken',
        tags,
        summary: 'Ask whether a token is valid',
        description:
          'RFC 7662. A client with a secret asks for its own tokens, an API key with tenant:admin for all of the tenant.',
        body: TokenNaming,
        response: { 200: Introspection },
      },
      config,
      handler: async (request, reply) => {
        const call = await callOf(request)
        if (call.caller !== null) return tokens.introspect(call, call.caller, request.body.token)
        const answer = await pass(ROUTES.introspection, call, await tokens.asClient(call), request)
        if (answer.status !== 200) return answerWith(reply, answer) as never
        return tokens.introspectOwn(call, JSON.parse(answer.body) as Static<typeof Introspection>)
      },
    })
    answerPreflights(app, [ROUTES.token, ROUTES.revocation], 'POST')
  }
}

/** Returns the client id of HTTP Basic (RFC 6749, section 2.3.1), read as the OAuth server does; null without one. */
function basicUser(authorization: string | undefined): string | null {
  const encoded = /^basic +(.+)$/i.exec(authorization ?? '')?.[1]
  const user = encoded === undefined ? '' : Buffer.from(encoded, 'base64').toString('utf8').split(':', 1)[0]
  try {
    return user === '' ? null : decodeURIComponent(user.replaceAll('+', '%20'))
  } catch {
    // The OAuth server refuses such a header.
    return null
  }
}
