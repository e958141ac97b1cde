import type { FastifyRequest } from 'fastify'
import type { Database } from '../database/database.ts'
import { RateLimiter } from '../http/rate-limit.ts'
import type { RoutePlugin } from '../http/route.ts'
import { NoContent } from '../http/schema.ts'
import { completeParams } from './authorize-params.ts'
import {
  ClientInformation,
  ClientParams,
  ClientRegistration,
  Introspection,
  Metadata,
  RegisteredClient,
  TokenAnswer,
  TokenNaming,
  TokenRequest,
} from './contract.ts'
import { allowAnyOrigin, answerPreflights } from './cors.ts'
import { errorPage } from './error-page.ts'
import { sendClientError, sendOAuthError } from './errors.ts'
import { answerWith, forward } from './forward.ts'
import { openIdMetadata, resourceMetadata, serverMetadata } from './metadata.ts'
import { REGISTER, ROUTES } from './paths.ts'
import type { ProviderPool } from './provider-pool.ts'
import { type Realm, realmOf } from './realm.ts'
import { isOpen, isRegistrationOffered } from './registration-mode.ts'
import type { RegistrationRules } from './registration-rules.ts'
import type { TokenRules } from './token-rules.ts'

const tags = ['OAuth']
/** A form has a few short fields. */
const FORM_BYTES_MAX = 65_536
/** Clients an address may register by itself in a minute. */
const OPEN_REGISTRATIONS_PER_MINUTE = 20
const CLIENT = `${REGISTER}/:client_id`

export interface OAuthParts {
  readonly database: Database
  readonly pool: ProviderPool
  readonly publicUrl: () => string
  readonly registration: RegistrationRules
  readonly tokens: TokenRules
}

/** The endpoints that clients call: registration, tokens, metadata, and the one they send people's browsers to. */
export function oauthRoutes(parts: OAuthParts): RoutePlugin {
  const realmFor = (request: FastifyRequest) => realmOf(parts.database.queries, request.host, parts.publicUrl())
  return (app) => {
    registrationRoutes(parts, realmFor)(app)
    tokenRoutes(parts, realmFor)(app)
    metadataRoutes(parts, realmFor)(app)
    authorizeRoutes(parts, realmFor)(app)
    answerPreflights(app, [REGISTER, ...WELL_KNOWN, ROUTES.token, ROUTES.revocation, ROUTES.jwks], 'GET, POST')
  }
}

type RealmFor = (request: FastifyRequest) => Promise<Realm>

function registrationRoutes({ registration }: OAuthParts, realmFor: RealmFor): RoutePlugin {
  const openRegistrations = new RateLimiter(OPEN_REGISTRATIONS_PER_MINUTE)
  return (app) => {
    app.route({
      method: 'POST',
      url: REGISTER,
      schema: {
        operationId: 'registerClient',
        tags,
        summary: 'Register a client',
        description:
          'RFC 7591. With an API key that has the scope clients:register; where the tenant setting oauthRegistration ' +
          'is open, assistants register themselves without one. Metadata this service does not have is refused with ' +
          '400 and `{"error", "error_description"}`.',
        body: ClientRegistration,
        response: { 201: RegisteredClient },
      },
      config: { scopes: ['clients:register'], optional: 'bearer', errors: [400], answerHeaders: ['Location'] },
      onRequest: allowAnyOrigin,
      errorHandler: sendOAuthError,
      handler: async (request, reply) => {
        if (request.caller === null) openRegistrations.take(request.ip, Date.now())
        const client = await registration.register(await realmFor(request), request.caller, request.body)
        reply.code(201).header('location', client.registration_client_uri)
        return client
      },
    })
    const management = { schema: { tags, params: ClientParams }, config: { public: true, errors: [401] } } as const
    const handling = { onRequest: allowAnyOrigin, errorHandler: sendOAuthError }
    const description = 'RFC 7592. Needs the registration_access_token as bearer credential.'
    app.route({
      method: 'GET',
      url: CLIENT,
      ...handling,
      schema: {
        ...management.schema,
        operationId: 'readClientRegistration',
        summary: "Read a client's registration",
        description,
        response: { 200: ClientInformation },
      },
      config: management.config,
      handler: async (request) =>
        registration.read(await realmFor(request), request.params.client_id, managementToken(request)),
    })
    app.route({
      method: 'PUT',
      url: CLIENT,
      ...handling,
      schema: {
        ...management.schema,
        operationId: 'changeClientRegistration',
        summary: "Replace a client's registration",
        description: `${description} Secret and token stay as they are.`,
        body: ClientRegistration,
        response: { 200: ClientInformation },
      },
      config: { ...management.config, errors: [400, 401] },
      handler: async (request) =>
        registration.update(await realmFor(request), request.params.client_id, managementToken(request), request.body),
    })
    app.route({
      method: 'DELETE',
      url: CLIENT,
      ...handling,
      schema: {
        ...management.schema,
        operationId: 'removeClientRegistration',
        summary: 'Remove a client',
        description: `${description} Its grants and tokens end with it.`,
        response: { 204: NoContent },
      },
      config: management.config,
      handler: async (request, reply) => {
        await registration.remove(await realmFor(request), request.params.client_id, managementToken(request))
        reply.code(204)
      },
    })
    answerPreflights(app, [CLIENT], 'GET, PUT, DELETE')
  }
}

function managementToken({ headers }: FastifyRequest): string | null {
  return /^bearer +(\S+)$/i.exec(headers.authorization ?? '')?.[1] ?? null
}

function tokenRoutes({ tokens }: OAuthParts, realmFor: RealmFor): RoutePlugin {
  const callOf = async (request: FastifyRequest<{ Body: Record<string, string | undefined> }>) => ({
    realm: await realmFor(request),
    caller: request.caller,
    form: request.body,
    headers: request.raw.headers,
    remoteAddress: request.ip,
  })
  const handling = { bodyLimit: FORM_BYTES_MAX, onRequest: allowAnyOrigin, errorHandler: sendClientError }
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
  }
}

const AUTHORIZATION_SERVER = '/.well-known/oauth-authorization-server'
const OPENID = '/.well-known/openid-configuration'
const PROTECTED_RESOURCE = '/.well-known/oauth-protected-resource'
const WELL_KNOWN = [AUTHORIZATION_SERVER, OPENID, PROTECTED_RESOURCE, `${PROTECTED_RESOURCE}/mcp`]

function metadataRoutes({ database, pool }: OAuthParts, realmFor: RealmFor): RoutePlugin {
  const registering = async (realm: Realm) => ({
    isOffered: await isRegistrationOffered(database, realm),
    documents: await isOpen(database, realm),
  })
  return (app) => {
    const document = (url: string, operationId: string, summary: string, of: (realm: Realm) => unknown) =>
      app.route({
        method: 'GET',
        url,
        schema: { operationId, tags, summary, response: { 200: Metadata } },
        config: { public: true },
        onRequest: allowAnyOrigin,
        handler: async (request) => (await of(await realmFor(request))) as Record<string, unknown>,
      })
    document(AUTHORIZATION_SERVER, 'readServerMetadata', 'Authorization server metadata (RFC 8414)', async (realm) =>
      serverMetadata(realm, await registering(realm)),
    )
    document(OPENID, 'readOpenIdMetadata', 'OpenID provider metadata', async (realm) =>
      openIdMetadata(realm, await registering(realm)),
    )
    document(PROTECTED_RESOURCE, 'readResourceMetadata', 'Protected resource metadata (RFC 9728)', (realm) =>
      resourceMetadata(realm, realm.issuer),
    )
    document(`${PROTECTED_RESOURCE}/mcp`, 'readMcpMetadata', 'The same for the MCP endpoint', (realm) =>
      resourceMetadata(realm, `${realm.issuer}/mcp`),
    )
    app.route({
      method: 'GET',
      url: ROUTES.jwks,
      schema: {
        operationId: 'readSigningKeys',
        tags,
        summary: 'Keys that ID tokens are signed with',
        response: { 200: Metadata },
      },
      config: { public: true },
      onRequest: allowAnyOrigin,
      handler: async (request, reply) => {
        const provider = await pool.of(await realmFor(request))
        const { url, headers } = request.raw
        return answerWith(
          reply,
          await forward(provider, { method: 'GET', url: url ?? '', headers, remoteAddress: request.ip }),
        ) as never
      },
    })
  }
}

/** People's browsers come here, and to its paths below when they have signed in or consented. */
function authorizeRoutes({ pool }: OAuthParts, realmFor: RealmFor): RoutePlugin {
  return (app) => {
    app.route({
      method: ['GET', 'POST'],
      url: ROUTES.authorization,
      bodyLimit: FORM_BYTES_MAX,
      config: { public: true, hidden: true, form: true },
      handler: async (request, reply) => {
        const realm = await realmFor(request)
        const sent =
          request.method === 'POST' ? formParams(request.body) : new URL(request.url, realm.issuer).searchParams
        const params = completeParams(realm, sent)
        if (typeof params === 'string') {
          const page = errorPage('invalid_request', params)
          return reply.code(400).type('text/html; charset=utf-8').send(page)
        }
        // Each request begins anew: who is signed in is known by our own session alone.
        const { cookie: _cookie, ...headers } = request.raw.headers
        const url = `${ROUTES.authorization}?${params.toString()}`
        const provider = await pool.of(realm)
        return answerWith(reply, await forward(provider, { method: 'GET', url, headers, remoteAddress: request.ip }))
      },
    })
    app.route({
      method: 'GET',
      url: `${ROUTES.authorization}/:uid`,
      config: { public: true, hidden: true },
      handler: async (request, reply) => {
        const provider = await pool.of(await realmFor(request))
        const { url, headers } = request.raw
        return answerWith(
          reply,
          await forward(provider, { method: 'GET', url: url ?? '', headers, remoteAddress: request.ip }),
        )
      },
    })
  }
}

function formParams(body: unknown): URLSearchParams {
  const params = new URLSearchParams()
  for (const [name, values] of Object.entries((body ?? {}) as Record<string, string | string[]>)) {
    for (const value of [values].flat()) params.append(name, value)
  }
  return params
}
