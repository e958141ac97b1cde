import { type SqlBool, sql } from 'kysely'
import { NO_TENANT, type Realm } from '../../tenants/realm.ts'

/** Rows a realm may see: its tenant's; at the shared address those of tenants without a host, and of no tenant. */
export function inRealm({ tenantId }: Pick<Realm, 'tenantId'>) {
  return tenantId !== null
    ? sql<SqlBool>`tenant_id = ${tenantId}`
    : sql<SqlBool>`(tenant_id = ${NO_TENANT} or tenant_id in (select tenant_id from tenants where host is null))`
}
