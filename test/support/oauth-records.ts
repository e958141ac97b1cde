import { accountIdOf } from '../../src/identity/oauth/authorize/account.ts'
import { insertClient } from '../../src/identity/oauth/clients/client-store.ts'
import { putRecord } from '../../src/identity/oauth/store.ts'
import type { Database } from '../../src/platform/database/database.ts'
import type { OAuthRecordRow } from '../../src/platform/database/tables.ts'
import { newId } from '../../src/platform/ids.ts'
import { hashSecret } from '../../src/platform/random-secret.ts'

interface StoredOAuthRecords {
  readonly client: string
  /** The client's registration access token. */
  readonly managementToken: string
  readonly grant: string
  /** An access token of the grant. */
  readonly token: string
  /** A refresh token of the grant; it is stored only when asked for. */
  readonly refreshToken: string
}

const HOUR_MS = 3_600_000
let count = 0

/**
 * Stores a client, a person's grant to it, and a token of the grant, as the OAuth server stores them. It is for tests
 * that need the records but not the server, which takes time to start.
 */
export async function storeOAuthRecords(
  database: Database,
  {
    tenantId,
    userId,
    origin,
    scope = 'knowledge:read',
    withRefreshToken = false,
  }: { tenantId: string; userId: string; origin: string; scope?: string; withRefreshToken?: boolean },
): Promise<StoredOAuthRecords> {
  const [client, grant] = [newId(), newId()]
  const secret = (what: string) => `${what}-${++count}-`.padEnd(43, '0')
  const [managementToken, token, refreshToken] = [secret('management'), secret('access'), secret('refresh')]
  const now = Date.now()
  const resource = `${origin}/mcp`
  const metadata = {
    client_name: 'An assistant',
    redirect_uris: ['http://127.0.0.1/callback'],
    grant_types: ['authorization_code', 'refresh_token', 'client_credentials'],
    response_types: ['code'],
    token_endpoint_auth_method: 'client_secret_post',
    scope,
  }
  const common = { accountId: accountIdOf({ tenantId, userId }), clientId: client, iat: Math.floor(now / 1_000) }
  const record = (kind: string, id: string, payload: object, audience: string | null): OAuthRecordRow => ({
    tenant_id: tenantId,
    kind,
    hash: hashSecret(id),
    payload: JSON.stringify({ ...common, kind, ...payload }),
    uid: null,
    grant_id: grant,
    client_id: client,
    user_id: userId,
    scopes: audience === null ? '' : scope,
    audience,
    consumed_at: null,
    created_at: now,
    expires_at: now + HOUR_MS,
  })
  await database.write(async (tx) => {
    await insertClient(tx, {
      tenant_id: tenantId,
      id: client,
      registration: 'key',
      metadata: JSON.stringify(metadata),
      secret_hash: hashSecret(secret('client')),
      management_hash: hashSecret(managementToken),
      scopes_max: scope,
      user_id: null,
      key_id: null,
      created_at: now,
      last_used_at: null,
    })
    await putRecord(tx, record('Grant', grant, { resources: { [resource]: scope } }, null))
    const granted = { grantId: grant, scope, aud: resource }
    await putRecord(tx, record('AccessToken', token, granted, resource))
    if (withRefreshToken) await putRecord(tx, record('RefreshToken', refreshToken, granted, resource))
  })
  return { client, managementToken, grant, token, refreshToken }
}
