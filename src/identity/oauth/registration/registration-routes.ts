import type { FastifyRequest } from 'fastify'
import type { RoutePlugin } from '../../../platform/http/route.ts'
import { NoContent } from '../../../platform/contract/schema.ts'
import type { RealmFor } from '../../tenants/realm.ts'
import { AddressLimit } from '../address-limit.ts'
import { ClientInformation, ClientParams, ClientRegistration, OAuthError, RegisteredClient } from '../contract.ts'
import { allowAnyOrigin, answerPreflights, anyOriginReads } from '../cors.ts'
import { sendOAuthError } from '../protocol/errors.ts'
import { REGISTER } from '../paths.ts'
import type { RegistrationRules } from './registration-rules.ts'

const tags = ['OAuth']
/** Limit for clients that register themselves from one address. */
const OPEN_REGISTRATIONS = { atOnce: 20, perMinute: 20 }
const CLIENT = `${REGISTER}/:client_id`

/** Registers clients (RFC 7591) and lets them manage their registration (RFC 7592). */
export function registrationRoutes(registration: RegistrationRules, realmFor: RealmFor): RoutePlugin {
  const openRegistrations = new AddressLimit(OPEN_REGISTRATIONS)
  return (app) => {
    app.route({
      method: 'POST',
      url: REGISTER,
      schema: {
        operationId: 'registerClient',
        tags,
        summary: 'Register a client',
        description:
          'RFC 7591. Needs an API key with the scope clients:register; for the grant type client_credentials, one that ' +
          'never expires. An access token registers no clients (403). Where the tenant setting oauthRegistration is ' +
          'open, assistants register themselves without a credential. Values that this service does not support are ' +
          'refused with 400 and `{"error", "error_description"}`.',
        body: ClientRegistration,
        response: { 201: RegisteredClient },
      },
      config: {
        scopes: ['clients:register'],
        optional: 'bearer',
        errors: [400, 429],
        refusal: OAuthError,
        answerHeaders: ['Location'],
      },
      onRequest: allowAnyOrigin,
      errorHandler: anyOriginReads(sendOAuthError),
      handler: async (request, reply) => {
        if (request.caller === null) openRegistrations.take(request.ip)
        const client = await registration.register(await realmFor(request), request.caller, request.body)
        reply.code(201).header('location', client.registration_client_uri)
        return client
      },
    })
    const management = {
      schema: { tags, params: ClientParams },
      config: { public: true, errors: [401, 403, 409], refusal: OAuthError },
    } as const
    const handling = { onRequest: allowAnyOrigin, errorHandler: anyOriginReads(sendOAuthError) }
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
      config: { ...management.config, errors: [400, 401, 403, 409] },
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
    answerPreflights(app, [REGISTER], 'POST')
    answerPreflights(app, [CLIENT], 'GET, PUT, DELETE')
  }
}

function managementToken({ headers }: FastifyRequest): string | null {
  return /^bearer +(\S+)$/i.exec(headers.authorization ?? '')?.[1] ?? null
}
