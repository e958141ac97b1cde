import { type SqlBool, sql } from 'kysely'
import { NO_TENANT, type Realm } from '../../tenants/realm.ts'

/** Rows a realm may see: its tenant's; at the shared address those of tenants without a host, and of no tenant. */
export function inRealm({ tenantId }: Pick<Realm, 'tenantId'>, table: 'oauth_clients' | 'oauth_records') {
  const tenant = sql.ref(`${table}.tenant_id`)
  if (tenantId !== null) return sql<SqlBool>`${tenant} = ${tenantId}`
  // By each row's own tenant, so that nothing has to read all tenants.
  return sql<SqlBool>`(${tenant} = ${NO_TENANT}
    or exists (select 1 from tenants where tenants.tenant_id = ${tenant} and tenants.host is null))`
}
