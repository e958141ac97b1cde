import type {
  Caller,
  CallerFacts,
  Publishable,
  Quotas,
  ResolveCaller,
  TenantSettings,
} from '../../platform/access/caller.ts'
import { intersectScopes, narrowScopes, parseScopes, type Scope } from '../../platform/access/scopes.ts'
import { scopesOfUser } from '../../platform/access/user-scopes.ts'
import { ceilingOf } from '../../platform/access/visibility.ts'
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
 * @throws Fault unauthorized, which says what is wrong with the credential. A credential of a tenant with another host
 *   gets the answer for an unknown one. Fault forbidden of type tenant_suspended while its tenant is suspended.
 */
export function callerResolver(
  database: Database,
  keyUse: KeyUse,
  publicUrl: () => string,
  now: () => number = Date.now,
): ResolveCaller {
  const lookUp = credentialLookup(database)
  return async (facts) => {
    const credential = credentialOf(facts.authorization, facts.cookies, publicUrl().startsWith('https:'))
    if (credential === null) throw noGoodCredential(whyNone(facts))
    const { host, hostname } = spellingsOf(facts.host)
    const found = await lookUp(credential, host, hostname)
    if (found === null || !isReachedHere(found)) throw noGoodCredential(UNKNOWN[credential.kind])
    if (credential.kind === 'token' && !isForHere(found, publicUrl())) throw noGoodCredential(UNKNOWN.token)
    const ended = whyEnded(found, now())
    if (ended !== null) throw noGoodCredential(`${NAMES[credential.kind]} ${ended}`)
    if (found.suspended_at !== null) throw tenantSuspended()
    if (credential.kind === 'key') keyUse.seen(found.tenant_id, found.credential_id)
    return callerOf(found, facts, credential.kind)
  }
}

/** Whether a token's resource (RFC 8707) is the address at which its tenant is reached now. */
function isForHere({ audience, tenant_host }: CredentialFacts, publicUrl: string): boolean {
  if (audience === null || !URL.canParse(audience)) return false
  const { host, hostname } = new URL(audience)
  return tenant_host === null ? host === new URL(publicUrl).host : tenant_host === host || tenant_host === hostname
}

/** A tenant with its own host is reached only at that host, and no other tenant is reached there. */
function isReachedHere(found: CredentialFacts): boolean {
  return found.tenant_host === null ? found.host_tenant_id === null : found.host_tenant_id === found.tenant_id
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

/** Why the credential is no longer valid, as the rest of a sentence; null while it is valid. */
function whyEnded(found: CredentialFacts, now: number): string | null {
  if (found.revoked_at !== null) return 'was revoked'
  if (found.expires_at !== null && found.expires_at <= now) return 'has expired'
  if (found.user_disabled_at !== null) return 'belongs to a disabled user'
  // A credential of a deleted user must not count as one without a user, which no role bounds.
  return found.user_id !== null && found.user_role === null ? 'belongs to a user that no longer exists' : null
}

/** Why a request has no credential of a known form. */
function whyNone({ authorization, hasApiKeyHeader }: CallerFacts): string {
  if (authorization === undefined)
    return hasApiKeyHeader ? 'The header X-API-Key is not supported' : 'No credential was sent'
  return /^bearer +\S/i.test(authorization) ? UNKNOWN.key : 'The Authorization header has no Bearer credential'
}

interface Understood {
  readonly settings: TenantSettings
  readonly granted: ReadonlySet<Scope>
  readonly workspaceIds: readonly string[]
  readonly publishable: Publishable | null
  readonly quotas: Quotas | null
}

/** Parsed once for each row: the look-up answers the same object while nothing changes. */
const understood = new WeakMap<CredentialFacts, Understood>()

function understand(found: CredentialFacts): Understood {
  let all = understood.get(found)
  if (all === undefined) {
    const settings = parseSettings(found.settings)
    const publishable = found.publishable === null ? null : boundsOf(readPublishable(found.publishable))
    const isMember = settings.workspaces && found.workspaces && publishable === null
    const workspaceIds = isMember ? found.workspaces.split(',') : []
    const quotas = parseQuotas(found.quotas)
    all = { settings, granted: grantedScopes(found), workspaceIds, publishable, quotas }
    understood.set(found, all)
  }
  return all
}

function callerOf(found: CredentialFacts, facts: CallerFacts, kind: CredentialKind): Caller {
  const { settings, granted, workspaceIds, publishable, quotas } = understand(found)
  const scopes = narrowScopes(granted, facts.scopes)
  return {
    tenant: {
      id: found.tenant_id,
      ownHost: found.tenant_host !== null,
      settings,
      embeddingModel: found.embedding_model,
      watermark: found.watermark,
      ...(quotas === null ? {} : { quotas }),
      ...(found.embedding_paused_until === null ? {} : { embeddingPausedUntil: found.embedding_paused_until }),
    },
    // Visitors use a publishable key; the user it ends with is not among them.
    userId: publishable === null ? found.user_id : null,
    credentialId: found.credential_id,
    credentialKind: kind,
    scopes,
    ceiling: ceilingOf(scopes),
    workspaceIds,
    audit: {
      source: CHANNEL[kind],
      clientId: found.client_id,
      claimed: { source: facts.auditSource ?? null, clientId: facts.clientId ?? null },
    },
    ...(kind === 'session' && lacksSecondFactor(settings.requireSecondFactor, found.strength)
      ? { lacksSecondFactor: true }
      : {}),
    ...(publishable === null ? {} : { publishable }),
  }
}

/** A credential never exceeds its user's present role and ceiling, whatever scopes it was issued with. */
function grantedScopes(found: CredentialFacts): ReadonlySet<Scope> {
  const role = found.user_role === null ? null : scopesOfUser({ role: found.user_role, ceiling: found.user_ceiling })
  if (found.credential_scopes === null) return intersectScopes(role ?? [], role ?? [])
  const scopes = parseScopes(found.credential_scopes)
  return role === null ? new Set(scopes) : intersectScopes(scopes, role)
}

/** @param why what is wrong; never contains the credential */
function noGoodCredential(why: string): Fault {
  const msg = `${why}. Send an API key or access token: Authorization: Bearer <API_KEY>`
  return unauthorized(['header', 'authorization'], msg)
}
