import type { RoutePlugin } from '../../../platform/http/route.ts'
import type { RealmFor } from '../../tenants/realm.ts'
import { Metadata } from '../contract.ts'
import { allowAnyOrigin, answerPreflights } from '../cors.ts'
import { passOn } from '../protocol/forward.ts'
import { openIdMetadata, resourceMetadata, serverMetadata } from './metadata.ts'
import { ROUTES } from '../paths.ts'
import type { ProviderPool } from '../protocol/provider-pool.ts'
import type { IssuerAt } from '../registration/registration-mode.ts'

const tags = ['OAuth']
const AUTHORIZATION_SERVER = '/.well-known/oauth-authorization-server'
const OPENID = '/.well-known/openid-configuration'
const PROTECTED_RESOURCE = '/.well-known/oauth-protected-resource'
const WELL_KNOWN = [AUTHORIZATION_SERVER, OPENID, PROTECTED_RESOURCE, `${PROTECTED_RESOURCE}/mcp`]

/** Statuses of a refusal: the host of a suspended tenant answers 403. */
const SUSPENSION_STATUSES = [403]

/** Serves the discovery documents, which clients read first, and the public keys that ID tokens are signed with. */
export function metadataRoutes(issuerAt: IssuerAt, pool: ProviderPool, realmFor: RealmFor): RoutePlugin {
  return (app) => {
    const document = (
      url: string,
      operationId: string,
      summary: string,
      read: (request: { readonly host: string }) => Promise<object>,
      errors: readonly number[] = [],
    ) =>
      app.route({
        method: 'GET',
        url,
        schema: { operationId, tags, summary, response: { 200: Metadata } },
        config: { public: true, errors },
        onRequest: allowAnyOrigin,
        handler: async (request) => (await read(request)) as Record<string, unknown>,
      })
    document(
      AUTHORIZATION_SERVER,
      'readServerMetadata',
      'Authorization server metadata (RFC 8414)',
      async (request) => {
        const { realm, modes } = await issuerAt(request)
        return serverMetadata(realm, modes)
      },
    )
    document(OPENID, 'readOpenIdMetadata', 'OpenID provider metadata', async (request) => {
      const { realm, modes } = await issuerAt(request)
      return openIdMetadata(realm, modes)
    })
    document(
      PROTECTED_RESOURCE,
      'readResourceMetadata',
      'Protected resource metadata (RFC 9728)',
      async (request) => {
        const realm = await realmFor(request)
        return resourceMetadata(realm, realm.issuer)
      },
      SUSPENSION_STATUSES,
    )
    document(
      `${PROTECTED_RESOURCE}/mcp`,
      'readMcpMetadata',
      'Metadata of the MCP endpoint (RFC 9728)',
      async (request) => {
        const realm = await realmFor(request)
        return resourceMetadata(realm, `${realm.issuer}/mcp`)
      },
      SUSPENSION_STATUSES,
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
      config: { public: true, errors: SUSPENSION_STATUSES },
      onRequest: allowAnyOrigin,
      handler: async (request, reply) => passOn(await pool.of(await realmFor(request)), request, reply),
    })
    answerPreflights(app, [...WELL_KNOWN, ROUTES.jwks], 'GET')
  }
}
