import { type SqlBool, sql } from 'kysely'
import { NO_TENANT, type Realm } from '../../tenants/realm.ts'

/** What the realm may see: its tenant's rows; at the shared address those of tenants without a host, and nobody's. */
export function inRealm({ tenantId }: Pick<Realm, 'tenantId'>) {
  return tenantId !== null
    ? sql<SqlBool>`tenant_id = ${tenantId}`
    : sql<SqlBool>`(tenant_id = ${NO_TENANT} or tenant_id in (select tenant_id from tenants where host is null))`
}
