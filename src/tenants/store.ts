import { type AliasedExpression, sql } from 'kysely'
import { inChunks } from '../database/chunks.ts'
import type { Database, Queries } from '../database/database.ts'
import { comesAfter, type PageOf } from '../database/page.ts'
import { keepPrepared } from '../database/prepared.ts'
import type { ApiKeyRow, TenantRow, UserRow } from '../database/tables.ts'
import type { Credential } from './credential.ts'

/** Everything one request needs to know of its caller. */
export interface CredentialFacts {
  readonly tenant_id: string
  /** Id of the key, the session, or the grant that a token came from (its client's where there is no grant). */
  readonly credential_id: string
  /** Null for a session, which may all that its user may. */
  readonly credential_scopes: string | null
  readonly expires_at: number | null
  readonly revoked_at: number | null
  readonly user_id: string | null
  /** The OAuth client of a token. */
  readonly client_id: string | null
  /** The resource a token is for. */
  readonly audience: string | null
  readonly user_role: string | null
  readonly user_disabled_at: number | null
  readonly workspaces: string | null
  readonly settings: string
  readonly embedding_model: string | null
  readonly watermark: number
  readonly tenant_host: string | null
  /** Tenant that owns the host the request was sent to; null for the shared address. */
  readonly host_tenant_id: string | null
}

/** Credentials remembered while nothing in the database changes; all are forgotten when there are more. */
const REMEMBERED_MAX = 1_000

type CredentialLookup = (credential: Credential, host: string, hostname: string) => Promise<CredentialFacts | null>

/**
 * The look-up of a credential, which runs on every request. Where the database can tell that nothing at all was
 * committed since, the last answer is the answer; a revoked key is refused on its next request all the same.
 * @returns a function of the credential and the host's two spellings (with and without port)
 */
export function credentialLookup(database: Database): CredentialLookup {
  const read = credentialReader(database)
  const known = new Map<string, CredentialFacts>()
  let knownAt: number | null = null
  return async (credential, host, hostname) => {
    const at = database.changeNumber()
    if (at === null) return read(credential, host, hostname)
    if (at !== knownAt || known.size >= REMEMBERED_MAX) known.clear()
    knownAt = at
    const name = `${credential.kind} ${credential.hash} ${host}`
    const remembered = known.get(name)
    if (remembered !== undefined) return remembered
    const facts = await read(credential, host, hostname)
    // Others may have seen a later state meanwhile, under which this reading must not be filed.
    if (facts !== null && knownAt === at) known.set(name, facts)
    return facts
  }
}

/** Compiles one query for each kind of credential, once per process. */
function credentialReader(database: Database): CredentialLookup {
  const readers = {
    key: readerOf(database, keySource(database.queries).as('k')),
    token: readerOf(database, tokenSource(database.queries).as('k')),
    session: readerOf(database, sessionSource(database.queries).as('k')),
  }
  return ({ kind, hash }, host, hostname) => readers[kind](hash, host, hostname)
}

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
>

function keySource(queries: Queries) {
  return queries
    .selectFrom('api_keys')
    .select(['tenant_id', 'id as credential_id', 'scopes as credential_scopes', 'expires_at', 'revoked_at', 'user_id'])
    .select([sql<null>`cast(null as text)`.as('client_id'), sql<null>`cast(null as text)`.as('audience')])
    .where('hash', '=', 'hash')
    .$castTo<Source>()
}

function tokenSource(queries: Queries) {
  return queries
    .selectFrom('oauth_records')
    .select(['tenant_id', 'scopes as credential_scopes', 'expires_at', 'consumed_at as revoked_at', 'user_id'])
    .select(['client_id', 'audience', (eb) => eb.fn.coalesce('grant_id', 'client_id').as('credential_id')])
    .where('hash', '=', 'hash')
    .where('kind', 'in', ['AccessToken', 'ClientCredentials'])
    .$castTo<Source>()
}

function sessionSource(queries: Queries) {
  return queries
    .selectFrom('sessions')
    .select(['tenant_id', 'id as credential_id', 'expires_at', 'user_id'])
    .select([
      sql<null>`cast(null as text)`.as('credential_scopes'),
      sql<null>`cast(null as bigint)`.as('revoked_at'),
      sql<null>`cast(null as text)`.as('client_id'),
      sql<null>`cast(null as text)`.as('audience'),
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
      'u.disabled_at as user_disabled_at',
      't.settings',
      't.embedding_model',
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
        // The name with its port, where a tenant has that, before the name alone.
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

export async function findTenant(db: Queries, tenantId: string): Promise<TenantRow | null> {
  return (await db.selectFrom('tenants').selectAll().where('tenant_id', '=', tenantId).executeTakeFirst()) ?? null
}

export async function listTenants(db: Queries): Promise<TenantRow[]> {
  return db.selectFrom('tenants').selectAll().orderBy('tenant_id').execute()
}

export async function hostOwner(db: Queries, host: string): Promise<string | null> {
  const row = await db.selectFrom('tenants').select('tenant_id').where('host', '=', host).executeTakeFirst()
  return row?.tenant_id ?? null
}

/** The tenants that one of these hosts belongs to. */
export async function hostOwners(
  db: Queries,
  hosts: readonly string[],
): Promise<{ tenant_id: string; host: string | null }[]> {
  return db.selectFrom('tenants').select(['tenant_id', 'host']).where('host', 'in', hosts).execute()
}

export async function insertTenant(db: Queries, row: TenantRow): Promise<void> {
  await db.insertInto('tenants').values(row).execute()
}

export async function updateTenant(
  db: Queries,
  tenantId: string,
  change: Partial<Pick<TenantRow, 'name' | 'host' | 'settings'>>,
): Promise<void> {
  await db.updateTable('tenants').set(change).where('tenant_id', '=', tenantId).execute()
}

/** Serialises changes to the list of tenants: a host belongs to one of them, which no key can express. */
export async function lockTenants(db: Queries, dialect: Database['portable']['name']): Promise<void> {
  if (dialect === 'postgres') await sql`lock table tenants in share row exclusive mode`.execute(db)
}

/** Takes the turn of whatever changes who administers the tenant, until the transaction ends. */
export async function lockTenant(db: Queries, tenantId: string): Promise<void> {
  // An update of nothing, since it locks the row on both databases.
  await db
    .updateTable('tenants')
    .set((eb) => ({ name: eb.ref('name') }))
    .where('tenant_id', '=', tenantId)
    .execute()
}

/** Whether somebody else than this user may administer the tenant. */
export async function hasOtherAdministrator(db: Queries, tenantId: string, userId: string): Promise<boolean> {
  const row = await db
    .selectFrom('users')
    .select('id')
    .where('tenant_id', '=', tenantId)
    .where('id', '!=', userId)
    .where('role', '=', 'admin')
    .where('disabled_at', 'is', null)
    .limit(1)
    .executeTakeFirst()
  return row !== undefined
}

export async function insertUser(db: Queries, row: UserRow): Promise<void> {
  await db.insertInto('users').values(row).execute()
}

export async function findUser(db: Queries, tenantId: string, idOrEmail: string): Promise<UserRow | null> {
  const row = await db
    .selectFrom('users')
    .selectAll()
    .where('tenant_id', '=', tenantId)
    .where((eb) => eb.or([eb('id', '=', idOrEmail), eb('email', '=', idOrEmail.toLowerCase())]))
    .executeTakeFirst()
  return row ?? null
}

/**
 * Users by their addresses.
 * @param page without it all of them, for the command line
 */
export async function listUsers(
  db: Queries,
  tenantId: string,
  page?: PageOf<readonly [email: string]>,
): Promise<UserRow[]> {
  let query = db.selectFrom('users').selectAll().where('tenant_id', '=', tenantId).orderBy('email')
  if (page !== undefined) query = query.limit(page.limit)
  if (page?.after) query = query.where('email', '>', page.after[0])
  return query.execute()
}

/** Those of the ids that are users of the tenant, in no particular order. */
export async function findUsers(db: Queries, tenantId: string, ids: readonly string[]): Promise<UserRow[]> {
  const rows: UserRow[] = []
  await inChunks(ids, async (some) => {
    const query = db.selectFrom('users').selectAll().where('tenant_id', '=', tenantId).where('id', 'in', some)
    rows.push(...(await query.execute()))
  })
  return rows
}

export async function updateUser(
  db: Queries,
  tenantId: string,
  id: string,
  change: Partial<Pick<UserRow, 'role' | 'name' | 'disabled_at'>>,
): Promise<void> {
  await db.updateTable('users').set(change).where('tenant_id', '=', tenantId).where('id', '=', id).execute()
}

export async function insertApiKey(db: Queries, row: ApiKeyRow): Promise<void> {
  await db.insertInto('api_keys').values(row).execute()
}

export async function findApiKey(db: Queries, tenantId: string, id: string): Promise<ApiKeyRow | null> {
  const query = db.selectFrom('api_keys').selectAll().where('tenant_id', '=', tenantId).where('id', '=', id)
  return (await query.executeTakeFirst()) ?? null
}

/** Place of an API key in the order of lists. */
export type KeyPlace = readonly [createdAt: number, id: string]

/**
 * API keys, the oldest first.
 * @param page without it all of them, for the command line
 */
export async function listApiKeys(db: Queries, tenantId: string, page?: PageOf<KeyPlace>): Promise<ApiKeyRow[]> {
  let query = db
    .selectFrom('api_keys')
    .selectAll()
    .where('tenant_id', '=', tenantId)
    .orderBy('created_at')
    .orderBy('id')
  if (page !== undefined) query = query.limit(page.limit)
  if (page?.after) query = query.where(comesAfter(['created_at', 'id'], page.after))
  return query.execute()
}

/** Ids of the keys that one of these issued. */
export async function keysIssuedBy(db: Queries, tenantId: string, issuerIds: readonly string[]): Promise<string[]> {
  const ids: string[] = []
  await inChunks(issuerIds, async (some) => {
    const rows = await db
      .selectFrom('api_keys')
      .select('id')
      .where('tenant_id', '=', tenantId)
      .where('issuer_kind', '=', 'key')
      .where('issuer_id', 'in', some)
      .execute()
    ids.push(...rows.map(({ id }) => id))
  })
  return ids
}

/** @returns whether there was such a key that was not revoked before */
export async function revokeApiKey(db: Queries, tenantId: string, id: string, at: number): Promise<boolean> {
  const result = await db
    .updateTable('api_keys')
    .set({ revoked_at: at })
    .where('tenant_id', '=', tenantId)
    .where('id', '=', id)
    .where('revoked_at', 'is', null)
    .executeTakeFirst()
  return result.numUpdatedRows > 0n
}

/**
 * Takes the turn of whatever ends a key, until the transaction ends.
 * @returns whether the key is good
 */
export async function lockApiKey(db: Queries, tenantId: string, id: string, now: number): Promise<boolean> {
  // An update of nothing, since it locks the row on both databases and sees what was committed last.
  const row = await db
    .updateTable('api_keys')
    .set((eb) => ({ name: eb.ref('name') }))
    .where('tenant_id', '=', tenantId)
    .where('id', '=', id)
    .returning(['revoked_at', 'expires_at'])
    .executeTakeFirst()
  return row !== undefined && row.revoked_at === null && (row.expires_at === null || row.expires_at > now)
}

export async function setLastUsed(db: Queries, tenantId: string, id: string, at: number): Promise<void> {
  await db
    .updateTable('api_keys')
    .set({ last_used_at: at })
    .where('tenant_id', '=', tenantId)
    .where('id', '=', id)
    .execute()
}
