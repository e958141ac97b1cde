import { addApiKey, type Issuer, OPERATOR_ISSUES } from '../identity/api-keys/rules.ts'
import { recordOperation } from '../identity/operators/operator-log.ts'
import { generatePassword } from '../identity/sessions/generate-password.ts'
import { PASSWORD_COST, type PasswordCost } from '../identity/sessions/password-hash.ts'
import { hashNewPassword, putPassword } from '../identity/sessions/set-password.ts'
import { lockTenants } from '../identity/tenants/lock-rules.ts'
import { addTenant, type NewTenant } from '../identity/tenants/rules.ts'
import { addUser } from '../identity/users/rules.ts'
import { ROLE_SCOPES } from '../platform/access/scopes.ts'
import { type Actor, OPERATOR } from '../platform/audit/audit.ts'
import type { Database, Tx } from '../platform/database/database.ts'
import { addDefaultSite } from '../shop/sites/rules.ts'

/** The administrator and the key that a new tenant begins with. */
export interface TenantStart {
  /** Its first user, an administrator with a password; null for none. */
  readonly administrator: { readonly email: string; readonly name: string; readonly password: string | null } | null
  /**
   * Its first API key, with the role admin; null for none. It belongs to the administrator if there is one.
   */
  readonly key: { readonly name: string; readonly expiresAt: number | null; readonly value?: string } | null
}

/** The first password and the first API key in clear, of which only hashes are stored. */
export interface StartSecrets {
  readonly administrator: { readonly id: string; readonly email: string; readonly password: string } | null
  readonly key: { readonly id: string; readonly key: string } | null
}

const NOTHING: TenantStart = { administrator: null, key: null }

/**
 * Creates a tenant with its default site, administrator and key, all or nothing.
 * @param issuer who creates it
 * @param passwordCost cost of the first password's hash
 * @throws Fault when the id is malformed or taken, the host belongs to another tenant, or a part is faulty
 */
export async function createTenant(
  database: Database,
  tenant: NewTenant,
  issuer: Issuer = OPERATOR_ISSUES,
  start: TenantStart = NOTHING,
  passwordCost: PasswordCost = PASSWORD_COST,
): Promise<StartSecrets> {
  const prepared = await prepareStart(start, passwordCost)
  return database.write(async (tx) => {
    await lockTenants(tx, database)
    await addTenantWithSite(tx, tenant, issuer)
    await recordOperation(tx, issuer, 'create', 'tenant', tenant.id)
    return addStart(tx, tenant.id, prepared, issuer)
  })
}

/** Adds a tenant with the default site that every tenant begins with. The transaction must hold the lock on tenants. */
export async function addTenantWithSite(tx: Tx, tenant: NewTenant, actor: Actor = OPERATOR): Promise<void> {
  const { language } = await addTenant(tx, tenant, actor)
  await addDefaultSite(tx, { id: tenant.id, language }, actor)
}

/** A start with the hash of its first password, made beforehand: hashing takes too long for a transaction. */
export interface PreparedStart extends TenantStart {
  readonly password: { readonly clear: string; readonly hash: string } | null
}

/** Hashes the first password, or generates one. @throws Fault when the password is too short or too long */
export async function prepareStart(start: TenantStart, passwordCost: PasswordCost): Promise<PreparedStart> {
  if (start.administrator === null) return { ...start, password: null }
  const clear = start.administrator.password ?? generatePassword()
  return { ...start, password: { clear, hash: await hashNewPassword(clear, passwordCost) } }
}

/** Gives a new tenant its first administrator and key, in the transaction that makes the tenant. */
export async function addStart(
  tx: Tx,
  tenantId: string,
  { administrator, key, password }: PreparedStart,
  issuer: Issuer,
): Promise<StartSecrets> {
  let first: StartSecrets['administrator'] = null
  if (administrator !== null && password !== null) {
    const { email, name } = administrator
    const user = await addUser(tx, tenantId, { email, name, role: 'admin' }, issuer)
    await putPassword(tx, tenantId, user.id, password.hash, issuer)
    first = { id: user.id, email: user.email, password: password.clear }
  }
  if (key === null) return { administrator: first, key: null }
  const newKey = { ...key, scopes: ROLE_SCOPES.admin, userId: first?.id ?? null }
  return { administrator: first, key: await addApiKey(tx, tenantId, newKey, issuer) }
}
