import type { EventEmitter } from 'node:events'
import { type Configuration, errors, interactionPolicy, Provider } from 'oidc-provider'
import type { OAuthConfig } from '../../../config/topics/oauth.ts'
import type { Actor } from '../../../platform/audit/audit.ts'
import type { Database } from '../../../platform/database/database.ts'
import type { SecretBox } from '../../../platform/secrets.ts'
import type { Realm } from '../../tenants/realm.ts'
import { activeUser } from '../../users/rules.ts'
import { parseAccountId } from '../authorize/account.ts'
import { adapterOf } from './adapter.ts'
import { redirectErrorsToVouched, renderError } from '../authorize/authorize-errors.ts'
import { fetchClientDocument } from '../clients/client-document.ts'
import { allowedScopes, AUTH_METHODS, EXTRA_METADATA } from '../clients/client-metadata.ts'
import { clientNameFault } from '../clients/client-name.ts'
import { isSecretOf } from '../tokens/client-secret.ts'
import { isNotedDocument } from '../clients/client-store.ts'
import { extraOf, type Voucher } from '../clients/client.ts'
import { exchangeOf } from './exchange.ts'
import { clientItself, OAUTH_SERVER } from './records.ts'
import type { DocumentBounds } from '../clients/fetch-bounds.ts'
import { INTERACTION, ROUTES } from '../paths.ts'
import type { Renewal } from '../tokens/token-family.ts'
import { redirectUriFault } from '../clients/redirect-uri.ts'
import { mayRegisterThemselves } from '../registration/registration-mode.ts'
import { resourceNamed, resourcesOf } from '../resource.ts'

export interface ProviderOptions {
  readonly database: Database
  readonly secrets: SecretBox
  readonly config: OAuthConfig
  /** Fetches client id metadata documents; by default from public addresses only. */
  readonly fetch?: typeof globalThis.fetch
}

/** Members of a client id metadata document that this service checks. */
interface DescribedClient {
  readonly clientName?: string
  readonly clientAuthMethod?: string
  readonly redirectUris?: readonly string[]
}

const CODE_SECONDS = 60
/** Time that a person may take to sign in and consent. */
const INTERACTION_SECONDS = 1_800
const COOKIE_KEY_PURPOSE = 'oauth cookies'

/** Creates the OAuth server of one realm. */
export function createProvider(
  realm: Realm,
  keys: readonly object[],
  options: ProviderOptions,
  bounds: DocumentBounds,
): Provider {
  const provider = new Provider(realm.issuer, configurationOf(realm, keys, options, bounds))
  // `forward` tells the server its address by X-Forwarded-Proto and Host.
  provider.proxy = true
  compareSecretsByHash(provider)
  redirectErrorsToVouched(provider)
  const keepCause = (context: { readonly req: object }, error: unknown): void => {
    const exchange = exchangeOf(context)
    if (exchange !== undefined) exchange.cause = error
  }
  provider.on('server_error', keepCause)
  // Without a listener, Koa would print these errors itself.
  ;(provider as EventEmitter).on('error', (error, context) => keepCause(context, error))
  return provider
}

/**
 * Makes the server compare the hash of a sent secret, because client secrets are stored as hashes. An API key stands in
 * for the secret of the client that it vouches for.
 */
function compareSecretsByHash(provider: Provider): void {
  const { prototype } = provider.Client as unknown as { prototype: HashedClient }
  prototype.compareClientSecret = function compare(this: HashedClient, actual: string): boolean {
    if (voucherNow()?.clientId === this.clientId) return true
    return isSecretOf(this.clientSecret, actual)
  }
}

interface HashedClient {
  readonly clientId: string
  readonly clientSecret: string
  compareClientSecret: (actual: string) => boolean
}

function configurationOf(
  realm: Realm,
  keys: readonly object[],
  options: ProviderOptions,
  bounds: DocumentBounds,
): Configuration {
  const { database, secrets, config } = options
  const adapter = {
    database,
    realm,
    refreshGraceMs: config.refreshGraceSeconds * 1_000,
    renewal: renewalNow,
    revoker: revokerNow,
    voucher: voucherNow,
  }
  return {
    adapter: adapterOf(adapter),
    jwks: { keys: [...keys] },
    routes: ROUTES,
    scopes: ['openid', 'offline_access'],
    responseTypes: ['code'],
    clientAuthMethods: [...AUTH_METHODS],
    clientDefaults: { application_type: 'native', grant_types: ['authorization_code'], response_types: ['code'] },
    extraClientMetadata: { properties: [...EXTRA_METADATA] },
    pkce: { required: () => true },
    rotateRefreshToken: true,
    issueRefreshToken: async (_ctx, client) => client.grantTypeAllowed('refresh_token'),
    expiresWithSession: async () => false,
    // Revoking one token ends the whole grant, whether it is an access token or a refresh token.
    revokeGrantPolicy: () => true,
    clientBasedCORS: () => false,
    allowOmittingSingleRegisteredRedirectUri: false,
    acceptQueryParamAccessTokens: false,
    cookies: {
      // The first key signs, and the others still verify.
      keys: [secrets.derive(COOKIE_KEY_PURPOSE), ...secrets.deriveFormer(COOKIE_KEY_PURPOSE)].map((key) =>
        key.toString('base64url'),
      ),
      names: { session: 'ks_oauth', interaction: 'ks_oauth_interaction', resume: 'ks_oauth_resume' },
      long: { signed: true, httpOnly: true, sameSite: 'lax', path: '/oauth' },
      short: { signed: true, httpOnly: true, sameSite: 'lax' },
    },
    ttl: {
      AccessToken: config.accessTokenSeconds,
      ClientCredentials: () => tokenSeconds(config),
      RefreshToken: config.refreshTokenSeconds,
      Grant: config.refreshTokenSeconds,
      AuthorizationCode: CODE_SECONDS,
      IdToken: config.accessTokenSeconds,
      Interaction: INTERACTION_SECONDS,
      Session: INTERACTION_SECONDS,
    },
    interactions: { url: (_ctx, interaction) => `${INTERACTION}/${interaction.uid}`, policy: policyOf() },
    async findAccount(_ctx, id) {
      const account = parseAccountId(id)
      if (account === null) return undefined
      if ((await activeUser(database.queries, account.tenantId, account.userId)) === null) return undefined
      return { accountId: id, claims: () => ({ sub: id }) }
    },
    renderError,
    async fetch(resource, init) {
      const url = resource as string | URL
      const isLetIn = await isNotedDocument(database.queries, realm, url.toString())
      return fetchClientDocument(url, init as RequestInit, bounds.of(isLetIn), options.fetch)
    },
    features: {
      devInteractions: { enabled: false },
      userinfo: { enabled: false },
      rpInitiatedLogout: { enabled: false },
      dPoP: { enabled: false },
      pushedAuthorizationRequests: { enabled: false },
      clientCredentials: { enabled: true },
      revocation: {
        enabled: true,
        // A client that sends another client's token gets the answer for an unknown token, and the token stays.
        allowedPolicy: (_ctx, client, token) => token.clientId === client.clientId,
      },
      introspection: {
        enabled: true,
        // Any program may act as a client without a secret, so such a client learns nothing of its tokens.
        allowedPolicy: (_ctx, client, token) =>
          client.clientAuthMethod !== 'none' && token.clientId === client.clientId,
      },
      resourceIndicators: {
        enabled: true,
        defaultResource: (_ctx, _client, oneOf) => oneOf?.[0] ?? realm.issuer,
        useGrantedResource: () => true,
        getResourceServerInfo(_ctx, indicator, client) {
          const audience = resourceNamed(realm, indicator)
          if (audience === null) throw new errors.InvalidTarget(`resource must be ${resourcesOf(realm).join(' or ')}`)
          return {
            scope: allowedScopes(extraOf(client)).join(' '),
            audience,
            accessTokenTTL: config.accessTokenSeconds,
            accessTokenFormat: 'opaque',
          }
        },
      },
      clientIdMetadataDocument: {
        enabled: true,
        ack: 'draft-02',
        // A document is self-registration too, so it needs the same setting.
        allowFetch: () => mayRegisterThemselves(database, realm),
        allowClient(_ctx: unknown, { clientName, clientAuthMethod, redirectUris = [] }: DescribedClient) {
          const fault = clientName === undefined ? null : clientNameFault(clientName)
          if (fault !== null) throw new errors.InvalidClientMetadata(fault)
          return clientAuthMethod === 'none' && areGood(redirectUris)
        },
      },
    },
  }
}

/** Returns the refresh token that the current request replaces, and its replacement; null when it replaces none. */
function renewalNow(): Renewal | null {
  const { RotatedRefreshToken: replaced, RefreshToken: replacement } = Provider.ctx?.oidc.entities ?? {}
  return replaced === undefined ? null : { replaced: replaced.jti, replacement: replacement?.jti }
}

/** Returns the client that an API key vouches for in the current request; null without an API key. */
function voucherNow(): Voucher | null {
  return exchangeOf(Provider.ctx)?.voucher ?? null
}

/** Returns the actor that revokes a token: the API key or client that asks, else the server, as for a stolen token. */
function revokerNow(): Actor {
  const { route, client } = Provider.ctx?.oidc ?? {}
  if (route !== 'revocation' || client === undefined) return OAUTH_SERVER
  const itself = clientItself(client.clientId)
  const voucher = voucherNow()
  return voucher === null ? itself : { ...itself, userId: voucher.userId, credentialId: voucher.keyId }
}

/** Returns the seconds that a client's own token lasts. One that an API key vouched for ends with the key at latest. */
function tokenSeconds({ accessTokenSeconds }: OAuthConfig): number {
  const end = voucherNow()?.keyExpiresAt ?? null
  if (end === null) return accessTokenSeconds
  return Math.max(Math.min(accessTokenSeconds, Math.floor((end - Date.now()) / 1_000)), 1)
}

/**
 * Returns the server's policy for interactions, with one more check. The server checks the redirect_uri when a request
 * begins; the client may give that address up before the code is issued, so every later step checks the address again.
 * The refusal is a page, because no browser may be sent to that address.
 */
function policyOf() {
  const { base, Check } = interactionPolicy
  const policy = base()
  const check = new Check('redirect_uri_removed', 'the client has given up the redirect_uri', ({ oidc }) => {
    if (oidc.client?.redirectUriAllowed(oidc.params?.redirect_uri as string) !== true) {
      throw new errors.InvalidRedirectUri()
    }
    return Check.NO_NEED_TO_PROMPT
  })
  policy.get('login')?.checks.add(check)
  return policy
}

/** Tells whether a document names at least one redirect URI, and only such as a registration may have. */
function areGood(redirectUris: readonly string[]): boolean {
  return redirectUris.length > 0 && redirectUris.every((uri) => redirectUriFault(uri) === null)
}
