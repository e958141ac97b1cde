import { type SqlBool, sql } from 'kysely'
import { NO_TENANT, type Realm } from '../../tenants/realm.ts'

/**
 * Returns the condition for rows that a realm may see: those of its tenant. The shared address sees rows of tenants
 * without a host, and rows of no tenant.
 */
export function inRealm({ tenantId }: Pick<Realm, 'tenantId'>, table: 'oauth_clients' | 'oauth_records') {
  const tenant = sql.ref(`${table}.tenant_id`)
  if (tenantId !== null) return sql<SqlBool>`${tenant} = ${tenantId}`
  // Looks up the tenant of each row, so that the query need not read all tenants.
  return sql<SqlBool>`(${tenant} = ${NO_TENANT}
    or exists (select 1 from tenants where tenants.tenant_id = ${tenant} and tenants.host is null))`
}
