import { type SqlBool, sql } from 'kysely'

/** Whether a row's tenant is not suspended. Background work leaves suspended tenants as they are. */
export function ofWorkingTenant(column = 'tenant_id') {
  return sql<SqlBool>`${sql.ref(column)} not in (
    select suspended.tenant_id from tenants as suspended where suspended.suspended_at is not null)`
}

/** Whether a row's tenant is not suspended, and nothing has paused its embedding. @param now milliseconds since 1970 */
export function ofEmbeddedTenant(now: number, column = 'tenant_id') {
  return sql<SqlBool>`${sql.ref(column)} not in (
    select idle.tenant_id from tenants as idle where idle.suspended_at is not null or idle.embedding_paused_until > ${now})`
}
