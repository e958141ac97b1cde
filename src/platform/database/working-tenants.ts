import { type SqlBool, sql } from 'kysely'

/** Whether a row's tenant is not suspended. Background work leaves suspended tenants as they are. */
export function ofWorkingTenant(column = 'tenant_id') {
  return sql<SqlBool>`${sql.ref(column)} not in (
    select suspended.tenant_id from tenants as suspended where suspended.suspended_at is not null)`
}
