import type { Static } from 'typebox'
import type { Caller, TenantContext } from '../../../platform/access/caller.ts'
import { intersectScopes, isScope, parseScopes, SCOPES } from '../../../platform/access/scopes.ts'
import { scopesOfCredentials } from '../../../platform/access/user-scopes.ts'
import type { Database } from '../../../platform/database/database.ts'
import type { OAuthClientRow, OAuthRecordRow, UserRow } from '../../../platform/database/tables.ts'
import { hashSecret } from '../../../platform/random-secret.ts'
import { parseQuotas } from '../../quotas/quotas.ts'
import type { Realm } from '../../tenants/realm.ts'
import { tenantSuspended } from '../../tenants/suspended.ts'
import { keyOfCaller } from '../../api-keys/list-rules.ts'
import { activeUser } from '../../users/rules.ts'
import { accountIdOf } from '../authorize/account.ts'
import { withoutLowerCeilings } from '../authorize/authorize-params.ts'
import { metadataOf } from '../clients/client-metadata.ts'
import { isSecretOf } from './client-secret.ts'
import type { Voucher } from '../clients/client.ts'
import type { Introspection } from '../contract.ts'
import { OAuthRefusal } from '../protocol/refusal.ts'
import { resourceNamed, resourcesOf } from '../resource.ts'
import * as clientStore from '../clients/client-store.ts'
import * as store from '../store.ts'

interface RequestCounter {
  countRequest(requester: { readonly tenant: Pick<TenantContext, 'id' | 'quotas'> }, now: number): void
}

type TokenState = Static<typeof Introspection>
type Form = Readonly<Record<string, string | undefined>>

/** A request of a client, or of an API key that vouches for it. */
export interface TokenCall {
  readonly realm: Realm
  /** The caller of the API key in the request; null without an API key. */
  readonly caller: Caller | null
  readonly form: Form
  /** The client id of HTTP Basic; null without one. */
  readonly basicClientId: string | null
  /** Whether the request has an Authorization header of any kind. */
  readonly isAuthenticating: boolean
}

/** Request to the OAuth server. */
export interface ProviderRequest {
  readonly form: Form
  /** The client that an API key vouches for; null when the client authenticates itself. */
  readonly voucher: Voucher | null
}

/** Applies the rules of this service to requests about tokens, before the OAuth server applies its own. */
export class TokenRules {
  private readonly database: Database
  private readonly rates: RequestCounter

  /** @param rates counts each request against the quota of its tenant */
  constructor(database: Database, rates: RequestCounter) {
    this.database = database
    this.rates = rates
  }

  /**
   * Prepares a request for tokens (RFC 6749, section 3.2). An API key of the client's tenant may stand in for the
   * client's secret; a client's own token then has no more scopes than the key.
   * @throws OAuthRefusal; Fault tenant_suspended, rate_limited
   */
  async issue(call: TokenCall): Promise<ProviderRequest> {
    const { realm, caller } = call
    await this.refuseSuspended(call)
    const form = withResource(realm, call.form)
    if (caller === null) {
      await this.requireClient(call)
      return { form: await this.withScope(call, form), voucher: null }
    }
    const client = await this.vouchedFor(realm, caller, form)
    const { scope } = metadataOf(client)
    const narrowed = form.grant_type === 'client_credentials' ? { scope: scopesOf(caller, form.scope ?? scope) } : {}
    return this.vouchedRequest({ ...form, ...narrowed }, caller, client)
  }

  /**
   * Prepares a client's request about a token, with its own secret or with an API key of its tenant.
   * @throws OAuthRefusal; Fault tenant_suspended, rate_limited
   */
  async asClient(call: TokenCall): Promise<ProviderRequest> {
    const { realm, caller, form } = call
    await this.refuseSuspended(call)
    if (caller !== null) return this.vouchedRequest(form, caller, await this.vouchedFor(realm, caller, form))
    await this.requireClient(call)
    return { form, voucher: null }
  }

  /**
   * Describes any token of the tenant to an administrator's API key (RFC 7662). Other tokens are answered as inactive.
   * @throws OAuthRefusal
   */
  async introspect({ realm, form }: TokenCall, caller: Caller, token: string): Promise<TokenState> {
    if (caller.credentialKind !== 'key') throw noClient()
    if (form.client_secret !== undefined) requireSecret(await this.clientOf(realm, caller, form), form)
    if (!caller.scopes.has('tenant:admin')) {
      throw new OAuthRefusal(403, 'insufficient_scope', 'Scope tenant:admin is needed')
    }
    const tenantId = caller.tenant.id
    const row = await this.tokenNamed(realm, token)
    if (row === null) return { active: false }
    const { kind, expires_at: end, consumed_at: usedAt, user_id: userId } = row
    if (row.tenant_id !== tenantId || usedAt !== null || end === null || end <= Date.now()) return { active: false }
    const scope = await this.scopeToday(row)
    if (scope === null) return { active: false }
    return {
      active: true,
      scope,
      ...(row.client_id === null ? {} : { client_id: row.client_id }),
      ...(kind === 'RefreshToken' ? {} : { token_type: 'Bearer' }),
      exp: Math.floor(end / 1_000),
      iat: Math.floor(row.created_at / 1_000),
      ...(userId === null ? {} : { sub: accountIdOf({ tenantId, userId }) }),
      ...(row.audience === null ? {} : { aud: row.audience }),
      iss: realm.issuer,
    }
  }

  /**
   * Describes a client's own token to the client.
   * @param state as the OAuth server has it, with the scope that the token was issued with
   * @returns the state with the scope that the token has today
   */
  async introspectOwn({ realm, form }: TokenCall, state: TokenState): Promise<TokenState> {
    const row = state.active ? await this.tokenNamed(realm, form.token ?? '') : null
    const scope = row === null ? null : await this.scopeToday(row)
    return scope === null ? { active: false } : { ...state, scope }
  }

  /**
   * Refuses requests about tokens and clients of a suspended tenant: none is issued, renewed or ended, so that the
   * tenant's assistants work again when it is resumed. The tenant of an API key was checked with the key.
   * @throws Fault tenant_suspended; rate_limited when the tenant has used up its quota of requests
   */
  private async refuseSuspended({ realm, caller, form, basicClientId }: TokenCall): Promise<void> {
    if (caller !== null) return
    const { queries } = this.database
    const isName = (text: string | null | undefined): text is string => typeof text === 'string' && !text.includes('\0')
    const secrets = [form.code, form.refresh_token, form.token].filter(isName).map(hashSecret)
    const clients = [form.client_id, basicClientId].filter(isName)
    if (clients.length > 0 && (await clientStore.isOfSuspended(queries, realm, clients)))
      throw tenantSuspended(['body'])
    if (secrets.length === 0) return
    if (await store.isOfSuspended(queries, secrets)) throw tenantSuspended(['body'])
    // Counts by codes and tokens, which only the tenant's clients have: any program can send a client's id, and could
    // use up the quota of its tenant.
    for (const { tenant_id: id, quotas } of await store.boundTenantsOf(queries, secrets))
      this.rates.countRequest({ tenant: { id, quotas: parseQuotas(quotas)! } }, Date.now())
  }

  private async tokenNamed(realm: Realm, token: string): Promise<OAuthRecordRow | null> {
    for (const kind of ['AccessToken', 'ClientCredentials', 'RefreshToken']) {
      const row = await store.findRecord(this.database.queries, realm, kind, 'hash', hashSecret(token))
      if (row !== null) return row
    }
    return null
  }

  /** Returns the scopes that a token has by its user's role of today; null when its user is removed or disabled. */
  private async scopeToday({ tenant_id: tenantId, user_id: userId, scopes }: OAuthRecordRow): Promise<string | null> {
    if (userId === null) return scopes
    const user = await activeUser(this.database.queries, tenantId, userId)
    return user === null ? null : withinUser(scopes, user)
  }

  /**
   * Returns the client that an API key vouches for. No other credential may vouch: a token obtained with a token would
   * outlive the credential that it came from.
   * @throws OAuthRefusal
   */
  private async vouchedFor(realm: Realm, caller: Caller, form: Form): Promise<OAuthClientRow> {
    if (caller.credentialKind !== 'key') throw noClient()
    const client = await this.clientOf(realm, caller, form)
    requireSecret(client, form)
    // A person's grant needs the client's secret, or a key that may register clients. A client's own token needs no
    // secret, because it has no more scopes than the key.
    const isOwnToken = form.grant_type === 'client_credentials'
    const needsSecret = !isOwnToken && metadataOf(client).token_endpoint_auth_method !== 'none'
    if (needsSecret && !caller.scopes.has('clients:register')) throw weakKey()
    return client
  }

  /** Returns the client that the form names, in the caller's tenant. @throws OAuthRefusal */
  private async clientOf(realm: Realm, caller: Caller, { client_id: id = '' }: Form): Promise<OAuthClientRow> {
    const client = await clientStore.findClient(this.database.queries, realm, id)
    if (client === null || client.tenant_id !== caller.tenant.id) throw unknownClient()
    return client
  }

  /**
   * Refuses unnamed clients, and clients described by a document that no person has let in. Such a client has no
   * tokens, so its document is not fetched: these requests need no credential and have no limit by address.
   * @throws OAuthRefusal
   */
  private async requireClient({ realm, form, basicClientId, isAuthenticating }: TokenCall): Promise<void> {
    if (form.client_id === undefined && !isAuthenticating) throw noClient()
    const { queries } = this.database
    for (const id of [form.client_id, basicClientId]) {
      const isDocument = /^https:/i.test(id ?? '')
      if (isDocument && !(await clientStore.isNotedDocument(queries, realm, id!))) throw strangeClient(form)
    }
  }

  /** Returns the request of a client that the caller's API key vouches for. @throws OAuthRefusal */
  private async vouchedRequest(form: Form, caller: Caller, client: OAuthClientRow): Promise<ProviderRequest> {
    const key = await keyOfCaller(this.database.queries, caller)
    if (key === null) throw unknownClient()
    // Replaces the secret that was sent and checked. The OAuth server refuses any secret of a public client.
    const secret = metadataOf(client).token_endpoint_auth_method === 'none' ? undefined : 'vouched'
    const voucher = { clientId: client.id, userId: caller.userId, keyId: key.id, keyExpiresAt: key.expires_at }
    return { form: { ...form, client_secret: secret }, voucher }
  }

  /** Adds the registered scopes for a client that acts for itself and names no scope (RFC 6749, section 3.3). */
  private async withScope({ realm, basicClientId }: TokenCall, form: Form): Promise<Form> {
    if (form.grant_type !== 'client_credentials' || form.scope !== undefined) return form
    const id = form.client_id ?? basicClientId
    const client = id === null ? null : await clientStore.findClient(this.database.queries, realm, id)
    return client === null ? form : { ...form, scope: metadataOf(client).scope }
  }
}

/**
 * Writes the resource as it is stored, so that a slash at its end makes no difference. An unknown resource is refused
 * here, because the OAuth server refuses it only after it has used up the code or refresh token.
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

function withinUser(granted: string, user: UserRow): string {
  const allowed = intersectScopes(parseScopes(granted), scopesOfCredentials(user))
  return withoutLowerCeilings(SCOPES.filter((scope) => allowed.has(scope))).join(' ')
}

/**
 * Narrows scopes, separated by spaces, to those that the caller has.
 * @throws OAuthRefusal when none is left
 */
function scopesOf(caller: Caller, requested: string): string {
  const allowed = intersectScopes(requested.split(' ').filter(isScope), caller.scopes)
  const scopes = SCOPES.filter((scope) => allowed.has(scope))
  if (scopes.length === 0) throw new OAuthRefusal(400, 'invalid_scope', 'The API key has none of these scopes')
  return scopes.join(' ')
}

/** Refuses a wrong client secret: an API key stands in for a missing secret only. @throws OAuthRefusal */
function requireSecret({ secret_hash: stored }: OAuthClientRow, { client_secret: sent }: Form): void {
  if (sent !== undefined && (stored === null || !isSecretOf(stored, sent))) throw wrongSecret()
}

const noClient = () => new OAuthRefusal(401, 'invalid_client', 'Send an API key, or authenticate as a client')
/** Returns the refusal of a client that no person let in. For a granted token it has the error of an unknown code. */
function strangeClient({ grant_type: type }: Form): OAuthRefusal {
  const isGranted = type === 'authorization_code' || type === 'refresh_token'
  return isGranted
    ? new OAuthRefusal(400, 'invalid_grant', 'Nobody has granted this client anything')
    : new OAuthRefusal(401, 'invalid_client', 'Nobody has let this client in')
}
const weakKey = () =>
  new OAuthRefusal(
    401,
    'invalid_client',
    'The API key needs the scope clients:register to stand in for a client secret',
  )
const wrongSecret = () => new OAuthRefusal(401, 'invalid_client', 'The client secret is wrong')
const unknownClient = () => new OAuthRefusal(401, 'invalid_client', 'The API key cannot vouch for this client')
