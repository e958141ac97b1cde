import { addApiKey, OPERATOR_ISSUES } from '../identity/api-keys/rules.ts'
import { generatePassword } from '../identity/sessions/generate-password.ts'
import { hashNewPassword, putPassword } from '../identity/sessions/set-password.ts'
import * as tenantStore from '../identity/tenants/rules.ts'
import { addUser } from '../identity/users/rules.ts'
import { ROLE_SCOPES, type Scope } from '../platform/access/scopes.ts'
import { OPERATOR } from '../platform/audit/audit.ts'
import type { Database } from '../platform/database/database.ts'
import { addTenantWithSite } from './new-tenant.ts'

export interface Bootstrap {
  /** The first API key in clear. */
  readonly key: string
  readonly email: string
  /** The first user's password in clear. */
  readonly password: string
}

/**
 * On an empty database, creates the tenant `default`, its first user with a password, and an API key with the role
 * admin. Two processes that start together create them only once.
 * @returns null when a tenant exists already
 */
export async function bootstrap(
  database: Database,
  options: { apiKey: string | null; adminEmail: string; adminPassword: string | null },
): Promise<Bootstrap | null> {
  if ((await tenantStore.listTenants(database.queries)).length > 0) return null
  const password = options.adminPassword ?? generatePassword()
  const hash = await hashNewPassword(password)
  return database.write(async (tx) => {
    await tenantStore.lockTenants(tx, database.portable.name)
    if ((await tenantStore.listTenants(tx)).length > 0) return null
    const id = 'default'
    await addTenantWithSite(tx, { id, name: 'Default', host: null }, OPERATOR)
    const user = await addUser(tx, id, { email: options.adminEmail, name: 'Administrator', role: 'admin' }, OPERATOR)
    await putPassword(tx, id, user.id, hash, OPERATOR)
    const scopes: readonly Scope[] = ROLE_SCOPES.admin
    const newKey = { name: 'First key', scopes, userId: user.id, expiresAt: null, value: options.apiKey ?? undefined }
    const { key } = await addApiKey(tx, id, newKey, OPERATOR_ISSUES)
    return { key, email: user.email, password }
  })
}
