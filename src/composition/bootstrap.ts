import { OPERATOR_ISSUES } from '../identity/api-keys/rules.ts'
import { PASSWORD_COST, type PasswordCost } from '../identity/sessions/password-hash.ts'
import { hasTenants } from '../identity/tenants/list-rules.ts'
import { lockTenants } from '../identity/tenants/lock-rules.ts'
import type { Database } from '../platform/database/database.ts'
import { addStart, addTenantWithSite, prepareStart, type TenantStart } from './new-tenant.ts'

export interface Bootstrap {
  /** The first API key in clear. */
  readonly key: string
  readonly email: string
  /** The first user's password in clear. */
  readonly password: string
}

/**
 * Creates, in an empty database, the tenant `default`, its first user with a password, and an API key with the role
 * admin. Two processes that start together create them only once.
 * @returns null when a tenant exists already
 */
export async function bootstrap(
  database: Database,
  options: { apiKey: string | null; adminEmail: string; adminPassword: string | null },
  passwordCost: PasswordCost = PASSWORD_COST,
): Promise<Bootstrap | null> {
  if (await hasTenants(database.queries)) return null
  const start: TenantStart = {
    administrator: { email: options.adminEmail, name: 'Administrator', password: options.adminPassword },
    key: { name: 'First key', expiresAt: null, value: options.apiKey ?? undefined },
  }
  const prepared = await prepareStart(start, passwordCost)
  return database.write(async (tx) => {
    await lockTenants(tx, database)
    if (await hasTenants(tx)) return null
    const id = 'default'
    await addTenantWithSite(tx, { id, name: 'Default', host: null })
    const { administrator, key } = await addStart(tx, id, prepared, OPERATOR_ISSUES)
    return { key: key!.key, email: administrator!.email, password: administrator!.password }
  })
}
