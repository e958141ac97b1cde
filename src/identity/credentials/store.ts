import { type AliasedExpression, sql } from 'kysely'
import type { Database, Queries } from '../../platform/database/database.ts'
import { keepPrepared } from '../../platform/database/prepared.ts'
import type { Credential } from './credential.ts'

/** Facts of a credential, its user and its tenant: all that one request reads of its caller. */
export interface CredentialFacts {
  readonly tenant_id: string
  /** Id of the key, of the session, or of the grant behind a token; of the client when a token has no grant. */
  readonly credential_id: string
  /** Null for a session, which has every scope of its user's role. */
  readonly credential_scopes: string | null
  readonly expires_at: number | null
  readonly revoked_at: number | null
  readonly user_id: string | null
  /** The OAuth client of a token. */
  readonly client_id: string | null
  /** The resource that a token is for (RFC 8707). */
  readonly audience: string | null
  /** Binding of a publishable key as JSON; null for every other credential. */
  readonly publishable: string | null
  /** Proof that a session began with; null for every other credential. */
  readonly strength: string | null
  readonly user_role: string | null
  readonly user_ceiling: string | null
  readonly user_disabled_at: number | null
  /** Ids of the user's workspaces, joined by commas; null for none. */
  readonly workspaces: string | null
  readonly settings: string
  /** Time of the suspension in milliseconds since 1970; null while the tenant works. */
  readonly suspended_at: number | null
  readonly embedding_model: string | null
  /** Quotas of the tenant as JSON; null where nothing bounds it. */
  readonly quotas: string | null
  readonly embedding_paused_until: number | null
  readonly watermark: number
  readonly tenant_host: string | null
  /** Tenant that owns the host of the request; null for the shared address. */
  readonly host_tenant_id: string | null
}

/** Finds a credential. @param host with its port @param hostname without its port @returns null when there is none */
export type CredentialLookup = (
  credential: Credential,
  host: string,
  hostname: string,
) => Promise<CredentialFacts | null>

/**
 * Compiles one query for each kind of credential, once per process. The values `hash`, `host` and `hostname` in the
 * queries are placeholders, which `readerOf` replaces by those of a request.
 */
export function credentialReader(database: Database): CredentialLookup {
  const readers = {
    key: readerOf(database, keySource(database.queries).as('k')),
    token: readerOf(database, tokenSource(database.queries).as('k')),
    session: readerOf(database, sessionSource(database.queries).as('k')),
  }
  return ({ kind, hash }, host, hostname) => readers[kind](hash, host, hostname)
}

/** Columns that all kinds of credentials have in the query, so that one join serves each. */
type Source = Pick<
  CredentialFacts,
  | 'tenant_id'
  | 'credential_id'
  | 'credential_scopes'
  | 'expires_at'
  | 'revoked_at'
  | 'user_id'
  | 'client_id'
  | 'audience'
  | 'publishable'
  | 'strength'
>

function keySource(queries: Queries) {
  return queries
    .selectFrom('api_keys')
    .select(['tenant_id', 'id as credential_id', 'scopes as credential_scopes', 'expires_at', 'revoked_at', 'user_id'])
    .select(['publishable', sql<null>`cast(null as text)`.as('strength')])
    .select([sql<null>`cast(null as text)`.as('client_id'), sql<null>`cast(null as text)`.as('audience')])
    .where('hash', '=', 'hash')
    .$castTo<Source>()
}

function tokenSource(queries: Queries) {
  return queries
    .selectFrom('oauth_records')
    .select(['tenant_id', 'scopes as credential_scopes', 'expires_at', 'consumed_at as revoked_at', 'user_id'])
    .select(['client_id', 'audience', (eb) => eb.fn.coalesce('grant_id', 'client_id').as('credential_id')])
    .select([sql<null>`cast(null as text)`.as('publishable'), sql<null>`cast(null as text)`.as('strength')])
    .where('hash', '=', 'hash')
    .where('kind', 'in', ['AccessToken', 'ClientCredentials'])
    .$castTo<Source>()
}

function sessionSource(queries: Queries) {
  return queries
    .selectFrom('sessions')
    .select(['tenant_id', 'id as credential_id', 'expires_at', 'user_id', 'strength'])
    .select([
      sql<null>`cast(null as text)`.as('credential_scopes'),
      sql<null>`cast(null as bigint)`.as('revoked_at'),
      sql<null>`cast(null as text)`.as('client_id'),
      sql<null>`cast(null as text)`.as('audience'),
      sql<null>`cast(null as text)`.as('publishable'),
    ])
    .where('hash', '=', 'hash')
    .$castTo<Source>()
}

function readerOf({ queries, portable }: Database, source: AliasedExpression<Source, 'k'>) {
  const compiled = queries
    .selectFrom(source)
    .innerJoin('tenants as t', 't.tenant_id', 'k.tenant_id')
    .leftJoin('users as u', (join) => join.onRef('u.tenant_id', '=', 'k.tenant_id').onRef('u.id', '=', 'k.user_id'))
    .selectAll('k')
    .select([
      'u.role as user_role',
      'u.ceiling as user_ceiling',
      'u.disabled_at as user_disabled_at',
      't.settings',
      't.suspended_at',
      't.embedding_model',
      't.quotas',
      't.embedding_paused_until',
      't.watermark',
      't.host as tenant_host',
    ])
    .select((eb) => [
      eb
        .selectFrom('workspace_members as m')
        .whereRef('m.tenant_id', '=', 'k.tenant_id')
        .whereRef('m.user_id', '=', 'k.user_id')
        .select((m) => portable.joinText(m.ref('m.workspace_id')).as('ids'))
        .as('workspaces'),
      eb
        .selectFrom('tenants as h')
        .where('h.host', 'in', ['host', 'hostname'])
        .select('h.tenant_id')
        // A host with its port goes before the host name alone.
        .orderBy('h.host', 'desc')
        .limit(1)
        .as('host_tenant_id'),
    ])
    .limit(1)
    .compile()
  keepPrepared(compiled)
  const places = {
    host: compiled.parameters.indexOf('host'),
    hostname: compiled.parameters.indexOf('hostname'),
    hash: compiled.parameters.indexOf('hash'),
  }

  return async (hash: string, host: string, hostname: string): Promise<CredentialFacts | null> => {
    const parameters = [...compiled.parameters]
    parameters[places.hash] = hash
    parameters[places.host] = host
    parameters[places.hostname] = hostname
    const { rows } = await queries.executeQuery<CredentialFacts>({ ...compiled, parameters })
    return rows[0] ?? null
  }
}
