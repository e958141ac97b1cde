import { type SqlBool, sql } from 'kysely'

/** Returns the condition that a row's tenant is not suspended. Background work leaves suspended tenants as they are. */
export function ofWorkingTenant(column = 'tenant_id') {
  return sql<SqlBool>`${sql.ref(column)} not in (
    select suspended.tenant_id from tenants as suspended where suspended.suspended_at is not null)`
}

/**
 * Returns the condition that a row's tenant is not suspended, and that its embedding is not paused.
 * @param now milliseconds since 1970
 */
export function ofEmbeddedTenant(now: number, column = 'tenant_id') {
  return sql<SqlBool>`${sql.ref(column)} not in (
    select idle.tenant_id from tenants as idle where idle.suspended_at is not null or idle.embedding_paused_until > ${now})`
}
