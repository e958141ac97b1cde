import { isScope } from '../../platform/access/scopes.ts'
import { type Actor, OPERATOR, recordAudit } from '../../platform/audit/audit.ts'
import type { Database, Tx } from '../../platform/database/database.ts'
import { invalid, unauthorized } from '../../platform/faults.ts'
import { newId } from '../../platform/ids.ts'
import { generateApiKey, hintOf, KEY_NAME_MAX } from './api-key.ts'
import type { PublishableBinding } from './publishable.ts'
import { hashSecret } from '../../platform/random-secret.ts'
import { realmOf } from '../tenants/realm.ts'
import { requireTenant } from '../tenants/rules.ts'
import { requireUser } from '../users/rules.ts'
import { insertOrigins, isOriginOfAKey } from './publishable-store.ts'
import * as keyStore from './store.ts'

export interface NewApiKey {
  readonly name: string
  readonly scopes: readonly string[]
  readonly userId: string | null
  /** Milliseconds since 1970; null for never. */
  readonly expiresAt: number | null
  /** The key itself, when automation supplies one; otherwise it is generated. */
  readonly value?: string
  /** Binding of a publishable key; absent for every other key. */
  readonly publishable?: PublishableBinding
}

/**
 * Kind of issuer: an API key, a session, the command line, an operator who created the tenant, or a user whom an
 * administrator handed the key over to.
 */
export type IssuerKind = 'key' | 'session' | 'cli' | 'operator' | 'hand_over'

/** Actor that issues a key. */
export type Issuer = Actor & { readonly kind: Exclude<IssuerKind, 'hand_over'> }

/** Issuer of the keys that the command line creates. */
export const OPERATOR_ISSUES: Issuer = { ...OPERATOR, kind: 'cli' }

/**
 * Issues an API key in a transaction of its own.
 * @param check throws in that transaction when the issuer may not issue it any more
 * @returns the key in clear, which is stored nowhere, and its id
 * @throws Fault unauthorized when the issuing key has been revoked or has expired meanwhile
 */
export async function issueApiKey(
  database: Database,
  tenantId: string,
  key: NewApiKey,
  issuer: Issuer = OPERATOR_ISSUES,
  check: (tx: Tx) => Promise<void> = async () => undefined,
): Promise<{ id: string; key: string }> {
  return database.write(async (tx) => {
    await requireTenant(tx, tenantId)
    await check(tx)
    if (key.userId !== null) await requireUser(tx, tenantId, key.userId)
    // The lock orders this with `revokeWithIssued`: either it finds the new key, or the issuer is revoked here.
    if (issuer.kind === 'key' && !(await keyStore.lockApiKey(tx, tenantId, issuer.credentialId ?? '', Date.now())))
      throw unauthorized(['header', 'authorization'], 'The API key is no longer valid')
    return addApiKey(tx, tenantId, key, issuer)
  }, tenantId)
}

/**
 * Adds an API key within a transaction, and records it.
 * @returns the key in clear, which is stored nowhere, and its id
 * @throws Fault invalid for the name or a scope
 */
export async function addApiKey(
  tx: Tx,
  tenantId: string,
  { name, scopes, userId, expiresAt, value, publishable }: NewApiKey,
  issuer: Issuer,
): Promise<{ id: string; key: string }> {
  if (name.length < 1 || Array.from(name).length > KEY_NAME_MAX)
    throw invalid(['name'], 'value_error', `The name of a key must have 1 to ${KEY_NAME_MAX} characters`)
  const unknown = scopes.find((scope) => !isScope(scope))
  if (unknown !== undefined) throw invalid(['scopes'], 'enum', `There is no scope ${unknown}`)
  const key = value ?? generateApiKey(publishable !== undefined)
  const id = newId()
  await keyStore.insertApiKey(tx, {
    tenant_id: tenantId,
    id,
    user_id: userId,
    name,
    hash: hashSecret(key),
    hint: hintOf(key),
    scopes: [...new Set(scopes)].join(' '),
    expires_at: expiresAt,
    revoked_at: null,
    last_used_at: null,
    created_at: Date.now(),
    issuer_kind: issuer.kind,
    issuer_id: issuer.credentialId,
    issuer_user_id: issuer.userId,
    publishable: publishable === undefined ? null : JSON.stringify(publishable),
  })
  if (publishable !== undefined) await insertOrigins(tx, tenantId, id, publishable.origins)
  await recordAudit(tx, tenantId, issuer, [{ action: 'create', resourceType: 'api_key', resourceId: id }])
  return { id, key }
}

/**
 * Makes the function that tells whether a page of an origin may ask with any publishable key. A preflight (Fetch
 * standard, section 4.8) names the origin and no key, so all valid keys of the tenants reached at its host count.
 */
export function originCheck(
  { queries }: Database,
  publicUrl: () => string,
  now: () => number = Date.now,
): (origin: string, host: string) => Promise<boolean> {
  return async (origin, host) => {
    const { tenantId } = await realmOf(queries, host, publicUrl())
    return isOriginOfAKey(queries, tenantId, origin, now())
  }
}
