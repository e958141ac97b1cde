import type { IncomingHttpHeaders } from 'node:http'
import type { Provider } from 'oidc-provider'
import type { Caller } from '../access/caller.ts'
import { intersectScopes, isScope, parseScopes, ROLE_SCOPES, type Role, SCOPES } from '../access/scopes.ts'
import type { Database } from '../database/database.ts'
import type { OAuthClientRow } from '../database/tables.ts'
import { hashSecret } from '../tenants/credential.ts'
import { findApiKey, findUser } from '../tenants/store.ts'
import { accountIdOf } from './account.ts'
import { withoutLowerCeilings } from './authorize-params.ts'
import { metadataOf } from './client-metadata.ts'
import { forward, type ProviderAnswer } from './forward.ts'
import { vouched } from './client.ts'
import { ROUTES } from './paths.ts'
import type { ProviderPool } from './provider-pool.ts'
import { type Realm, resourceNamed, resourcesOf } from './realm.ts'
import { OAuthRefusal } from './refusal.ts'
import * as store from './store.ts'

type Form = Readonly<Record<string, string | undefined>>

export interface TokenCall {
  readonly realm: Realm
  /** Who sent an API key along; null when none was sent. */
  readonly caller: Caller | null
  readonly form: Form
  readonly headers: IncomingHttpHeaders
  readonly remoteAddress: string
}

/** The token endpoint and its neighbours: what our own rules add, before the OAuth server judges. */
export class TokenRules {
  private readonly database: Database
  private readonly pool: ProviderPool

  constructor(database: Database, pool: ProviderPool) {
    this.database = database
    this.pool = pool
  }

  /**
   * Issues tokens (RFC 6749, section 3.2). An API key of the client's tenant stands in for the client's secret; what a
   * client is given for itself is then no more than the key may.
   * @throws OAuthRefusal
   */
  async issue(call: TokenCall): Promise<ProviderAnswer> {
    const { realm, caller } = call
    const form = withResource(realm, call.form)
    if (caller === null) {
      if (form.client_id === undefined && call.headers.authorization === undefined) throw noClient()
      return this.pass(ROUTES.token, { ...call, form: await this.withScope(realm, form, call.headers) })
    }
    const client = await this.vouchedFor(realm, caller, form)
    const { scope } = metadataOf(client)
    const narrowed = form.grant_type === 'client_credentials' ? { scope: scopesOf(caller, form.scope ?? scope) } : {}
    return this.passVouched(ROUTES.token, { ...call, form: { ...form, ...narrowed } }, caller, client)
  }

  /**
   * The client that an API key speaks for. No other credential does: a token that could be had for a token would
   * outlive everything it came from.
   * @throws OAuthRefusal
   */
  private async vouchedFor(realm: Realm, caller: Caller, form: Form): Promise<OAuthClientRow> {
    if (caller.credentialKind !== 'key') throw noClient()
    const client = await store.findClient(this.database.queries, realm, form.client_id ?? '')
    if (client === null || client.tenant_id !== caller.tenant.id) throw unknownClient()
    // What somebody granted is for whoever has the secret, or could register a client; what a key gives away for
    // itself is no more than it has.
    const isItsOwn = form.grant_type === 'client_credentials'
    const needsSecret = !isItsOwn && metadataOf(client).token_endpoint_auth_method !== 'none'
    if (needsSecret && !caller.scopes.has('clients:register')) throw weakKey()
    return client
  }

  private async passVouched(
    path: string,
    call: TokenCall,
    { tenant, userId, credentialId }: Caller,
    client: OAuthClientRow,
  ) {
    const key = await findApiKey(this.database.queries, tenant.id, credentialId ?? '')
    if (key === null) throw unknownClient()
    const own = metadataOf(client).token_endpoint_auth_method === 'none' ? {} : { client_secret: 'vouched' }
    const voucher = { clientId: client.id, userId, keyId: key.id, keyExpiresAt: key.expires_at }
    return vouched.run(voucher, () => this.pass(path, withoutKey({ ...call, form: { ...call.form, ...own } })))
  }

  /** A client that acts for itself and names no scope gets what it registered for (RFC 6749, section 3.3). */
  private async withScope(realm: Realm, form: Form, headers: IncomingHttpHeaders): Promise<Form> {
    if (form.grant_type !== 'client_credentials' || form.scope !== undefined) return form
    const id = form.client_id ?? basicUser(headers.authorization)
    const client = id === null ? null : await store.findClient(this.database.queries, realm, id)
    return client === null ? form : { ...form, scope: metadataOf(client).scope }
  }

  /** Revokes a token (RFC 7009) and what was granted with it. */
  revoke(call: TokenCall): Promise<ProviderAnswer> {
    return this.asClient(ROUTES.revocation, call)
  }

  /** Tells a client of its own tokens, an administrator's API key of all in the tenant (RFC 7662). */
  async introspect(call: TokenCall): Promise<ProviderAnswer> {
    const { caller, form, realm } = call
    if (caller === null) return this.asClient(ROUTES.introspection, call)
    if (caller.credentialKind !== 'key') throw noClient()
    if (!caller.scopes.has('tenant:admin')) {
      throw new OAuthRefusal(403, 'insufficient_scope', 'Scope tenant:admin is needed')
    }
    const token = await this.tokenOf(realm, caller.tenant.id, form.token ?? '')
    return { status: 200, headers: { 'content-type': 'application/json; charset=utf-8' }, body: JSON.stringify(token) }
  }

  private async tokenOf(realm: Realm, tenantId: string, token: string): Promise<object> {
    for (const kind of ['AccessToken', 'ClientCredentials', 'RefreshToken']) {
      const row = await store.findRecord(this.database.queries, realm, kind, 'hash', hashSecret(token))
      if (row === null) continue
      const { expires_at: end, consumed_at: consumed, user_id: userId } = row
      if (row.tenant_id !== tenantId || consumed !== null || end === null || end <= Date.now()) break
      const user = userId === null ? null : await findUser(this.database.queries, tenantId, userId)
      if (userId !== null && (user === null || user.disabled_at !== null)) break
      return {
        active: true,
        scope: user === null ? row.scopes : withinRole(row.scopes, user.role as Role),
        client_id: row.client_id,
        ...(kind === 'RefreshToken' ? {} : { token_type: 'Bearer' }),
        exp: Math.floor(end / 1_000),
        iat: Math.floor(row.created_at / 1_000),
        ...(userId === null ? {} : { sub: accountIdOf({ tenantId, userId }) }),
        ...(row.audience === null ? {} : { aud: row.audience }),
        iss: realm.issuer,
      }
    }
    return { active: false }
  }

  /** With an API key of its tenant, or by its own secret. */
  private async asClient(path: string, call: TokenCall): Promise<ProviderAnswer> {
    const { realm, caller, form } = call
    if (caller === null) {
      if (form.client_id === undefined && call.headers.authorization === undefined) throw noClient()
      return this.pass(path, call)
    }
    return this.passVouched(path, call, caller, await this.vouchedFor(realm, caller, form))
  }

  private async pass(url: string, { realm, form, headers, remoteAddress }: TokenCall): Promise<ProviderAnswer> {
    const provider: Provider = await this.pool.of(realm)
    const fields = Object.entries(form).filter((field): field is [string, string] => typeof field[1] === 'string')
    return forward(provider, { method: 'POST', url, headers, form: Object.fromEntries(fields), remoteAddress })
  }
}

/** The client id of HTTP Basic (RFC 6749, section 2.3.1). */
function basicUser(authorization: string | undefined): string | null {
  const encoded = /^basic +(\S+)$/i.exec(authorization ?? '')?.[1]
  const user = encoded === undefined ? '' : Buffer.from(encoded, 'base64').toString('utf8').split(':', 1)[0]
  return user === '' ? null : user
}

function withoutKey(call: TokenCall): TokenCall {
  const { authorization: _key, ...headers } = call.headers
  return { ...call, headers }
}

/**
 * Writes the resource as it is stored, so that a slash at its end makes no difference. Another is refused here: the
 * OAuth server does so when the code or the refresh token is used up already.
 * @throws OAuthRefusal
 */
function withResource(realm: Realm, form: Form): Form {
  if (form.resource === undefined) return form
  const resource = resourceNamed(realm, form.resource)
  if (resource === null) {
    throw new OAuthRefusal(400, 'invalid_target', `resource must be ${resourcesOf(realm).join(' or ')}`)
  }
  return { ...form, resource }
}

/** A token is worth what its user's role is today. */
function withinRole(granted: string, role: Role): string {
  const allowed = intersectScopes(parseScopes(granted), ROLE_SCOPES[role])
  return withoutLowerCeilings(SCOPES.filter((scope) => allowed.has(scope))).join(' ')
}

/** What of these scopes the caller may, as they are sent. @throws OAuthRefusal when nothing is left */
function scopesOf(caller: Caller, asked: string): string {
  const allowed = intersectScopes(asked.split(' ').filter(isScope), caller.scopes)
  const scopes = SCOPES.filter((scope) => allowed.has(scope))
  if (scopes.length === 0) throw new OAuthRefusal(400, 'invalid_scope', 'The API key may do none of that')
  return scopes.join(' ')
}

const noClient = () => new OAuthRefusal(401, 'invalid_client', 'Send an API key, or authenticate as a client')
const weakKey = () =>
  new OAuthRefusal(
    401,
    'invalid_client',
    'The API key needs the scope clients:register to stand in for a client secret',
  )
const unknownClient = () => new OAuthRefusal(401, 'invalid_client', 'The API key speaks for no such client')
