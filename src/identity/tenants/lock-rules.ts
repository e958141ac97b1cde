import type { Database, Tx } from '../../platform/database/database.ts'
import * as store from './store.ts'

/** Locks a tenant until the transaction ends, so that changes whose checks read the whole tenant happen in turn. */
export function lockTenant(tx: Tx, tenantId: string): Promise<void> {
  return store.lockTenant(tx, tenantId)
}

/**
 * Locks the list of tenants until the transaction ends. No unique key can ensure that a host belongs to one tenant
 * only, or that one tenant stays.
 */
export function lockTenants(tx: Tx, { portable }: Pick<Database, 'portable'>): Promise<void> {
  return store.lockTenants(tx, portable.name)
}
