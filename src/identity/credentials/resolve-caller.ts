import type {
  Caller,
  CallerFacts,
  Publishable,
  Quotas,
  ResolveCaller,
  TenantSettings,
} from '../../platform/access/caller.ts'
import { intersectScopes, narrowScopes, parseScopes, type Scope } from '../../platform/access/scopes.ts'
import { scopesOfCredentials, scopesOfUser } from '../../platform/access/user-scopes.ts'
import { ceilingOf, type OrderedVisibility } from '../../platform/access/visibility.ts'
import type { Database } from '../../platform/database/database.ts'
import { type Fault, unauthorized } from '../../platform/faults.ts'
import { type CredentialKind, credentialOf } from './credential.ts'
import type { KeyUse } from '../api-keys/key-use.ts'
import { boundsOf, readPublishable } from '../api-keys/publishable.ts'
import { parseQuotas } from '../quotas/quotas.ts'
import { spellingsOf } from '../tenants/realm.ts'
import { tenantSuspended } from '../tenants/suspended.ts'
import { parseSettings } from '../tenants/settings.ts'
import { credentialLookup } from './lookup.ts'
import { lacksSecondFactor } from './session-strength.ts'
import type { CredentialFacts } from './store.ts'

/** The channel in the audit record, by kind of credential. MCP sets its own. */
const CHANNEL: Readonly<Record<CredentialKind, string>> = { key: 'api', token: 'api', session: 'console' }

/**
 * Makes the function that turns a request's credential into a caller, in at most one database round trip
 * (`credentialLookup`).
 * @throws Fault unauthorized, which says what is wrong with the credential; for a credential of a tenant with another
 *   host the same as for an unknown one. Fault forbidden of type tenant_suspended while the tenant is suspended.
 */
export function callerResolver(
  database: Database,
  keyUse: KeyUse,
  publicUrl: () => string,
  now: () => number = Date.now,
): ResolveCaller {
  const lookUp = credentialLookup(database)
  return async (facts) => {
    const credential = credentialOf(facts.authorization, facts.cookies, () => publicUrl().startsWith('https:'))
    if (credential === null) throw credentialFault(whyNone(facts))
    const { host, hostname } = spellingsOf(facts.host)
    const row = await lookUp(credential, host, hostname)
    if (row === null || !isAtItsAddress(row)) throw credentialFault(UNKNOWN[credential.kind])
    if (credential.kind === 'token' && !isForThisAddress(row, publicUrl())) throw credentialFault(UNKNOWN.token)
    const ended = whyEnded(row, now())
    if (ended !== null) throw credentialFault(`${NAMES[credential.kind]} ${ended}`)
    if (row.suspended_at !== null) throw tenantSuspended()
    if (credential.kind === 'key') keyUse.seen(row.tenant_id, row.credential_id)
    return callerOf(row, facts, credential.kind)
  }
}

/** Tells whether a token's resource (RFC 8707) is the address at which its tenant is reached now. */
function isForThisAddress({ audience, tenant_host }: CredentialFacts, publicUrl: string): boolean {
  if (audience === null || !URL.canParse(audience)) return false
  const { host, hostname } = new URL(audience)
  return tenant_host === null ? host === new URL(publicUrl).host : tenant_host === host || tenant_host === hostname
}

/** Tells whether the request came to the tenant's address: to its own host, or else to no tenant's own host. */
function isAtItsAddress(row: CredentialFacts): boolean {
  return row.tenant_host === null ? row.host_tenant_id === null : row.host_tenant_id === row.tenant_id
}

const NAMES: Readonly<Record<CredentialKind, string>> = {
  key: 'The API key',
  token: 'The access token',
  session: 'The session',
}
const UNKNOWN: Readonly<Record<CredentialKind, string>> = {
  key: 'The API key is not known here',
  token: 'The access token is not known here',
  session: 'The session has ended; sign in again',
}

/** Says why a credential is no longer valid, as the rest of a sentence; null while it is valid. */
function whyEnded(row: CredentialFacts, now: number): string | null {
  if (row.revoked_at !== null) return 'was revoked'
  if (row.expires_at !== null && row.expires_at <= now) return 'has expired'
  if (row.user_disabled_at !== null) return 'belongs to a disabled user'
  // A credential of a deleted user must not count as one without a user, which no role bounds.
  return row.user_id !== null && row.user_role === null ? 'belongs to a user that no longer exists' : null
}

/** Says why a request has no credential of a known form. */
function whyNone({ authorization, hasApiKeyHeader }: CallerFacts): string {
  if (authorization === undefined)
    return hasApiKeyHeader ? 'The header X-API-Key is not supported' : 'No credential was sent'
  return /^bearer +\S/i.test(authorization) ? UNKNOWN.key : 'The Authorization header has no Bearer credential'
}

/** Content of a credential's row, parsed. */
interface RowContent {
  readonly settings: TenantSettings
  readonly scopes: ReadonlySet<Scope>
  readonly ceiling: OrderedVisibility
  readonly workspaceIds: readonly string[]
  readonly publishable: Publishable | null
  readonly quotas: Quotas | null
}

/** Contents by row. Each row is parsed once, since the look-up returns the same row while nothing changes. */
const contents = new WeakMap<CredentialFacts, RowContent>()

function contentOf(row: CredentialFacts): RowContent {
  let content = contents.get(row)
  if (content === undefined) {
    const settings = parseSettings(row.settings)
    const publishable = row.publishable === null ? null : boundsOf(readPublishable(row.publishable))
    const isMember = settings.workspaces && row.workspaces && publishable === null
    const workspaceIds = isMember ? row.workspaces.split(',') : []
    const quotas = parseQuotas(row.quotas)
    const scopes = scopesOf(row)
    content = { settings, scopes, ceiling: ceilingOf(scopes), workspaceIds, publishable, quotas }
    contents.set(row, content)
  }
  return content
}

function callerOf(row: CredentialFacts, facts: CallerFacts, kind: CredentialKind): Caller {
  const { settings, workspaceIds, publishable, quotas, ...own } = contentOf(row)
  const scopes = narrowScopes(own.scopes, facts.scopes)
  return {
    tenant: {
      id: row.tenant_id,
      ownHost: row.tenant_host !== null,
      settings,
      embeddingModel: row.embedding_model,
      watermark: row.watermark,
      ...(quotas === null ? {} : { quotas }),
      ...(row.embedding_paused_until === null ? {} : { embeddingPausedUntil: row.embedding_paused_until }),
    },
    // A publishable key ends with its user, but visitors ask with it, so the user is not the caller.
    userId: publishable === null ? row.user_id : null,
    credentialId: row.credential_id,
    credentialKind: kind,
    scopes,
    ceiling: scopes === own.scopes ? own.ceiling : ceilingOf(scopes),
    workspaceIds,
    audit: {
      source: CHANNEL[kind],
      clientId: row.client_id,
      claimed: { source: facts.auditSource ?? null, clientId: facts.clientId ?? null },
    },
    ...(kind === 'session' && lacksSecondFactor(settings.requireSecondFactor, row.strength)
      ? { lacksSecondFactor: true }
      : {}),
    ...(publishable === null ? {} : { publishable }),
  }
}

/** Returns the scopes of a credential, within the present role and ceiling of its user. */
function scopesOf(row: CredentialFacts): ReadonlySet<Scope> {
  const user = row.user_role === null ? null : { role: row.user_role, ceiling: row.user_ceiling }
  if (row.credential_scopes === null) {
    const scopes = user === null ? [] : scopesOfUser(user)
    return intersectScopes(scopes, scopes)
  }
  const scopes = parseScopes(row.credential_scopes)
  return user === null ? new Set(scopes) : intersectScopes(scopes, scopesOfCredentials(user))
}

/** Makes the fault of a missing or invalid credential. @param why the reason; never contains the credential */
function credentialFault(why: string): Fault {
  const msg = `${why}. Send an API key or access token: Authorization: Bearer <API_KEY>`
  return unauthorized(['header', 'authorization'], msg)
}
