import { sql } from 'kysely'
import type { Queries } from '../../platform/database/database.ts'
import type { Tables } from '../../platform/database/tables.ts'

/** A table with rows of tenants: its primary key after `tenant_id`, and the number of rows in one transaction. */
interface TenantTable {
  readonly table: keyof Tables
  readonly key: readonly string[]
  readonly rows: number
}

/** Rows without long texts that one transaction deletes in some milliseconds. */
const SHORT = 500
/** Rows that one transaction deletes where each may have a megabyte. */
const LONG = 25

/**
 * Every table with rows of tenants except `tenants`. Each comes before the tables that its rows refer to, so that no
 * deletion cascades: the size of a cascade has no bound.
 */
export const TENANT_TABLES: readonly TenantTable[] = [
  { table: 'embedding_jobs', key: ['kind', 'item_id', 'model'], rows: SHORT },
  { table: 'passkey_challenges', key: ['purpose', 'bound_to'], rows: SHORT },
  { table: 'sign_in_steps', key: ['hash'], rows: SHORT },
  { table: 'factor_resets', key: ['user_id'], rows: SHORT },
  { table: 'passkeys', key: ['id'], rows: SHORT },
  { table: 'recovery_codes', key: ['user_id', 'hash'], rows: SHORT },
  { table: 'user_totp', key: ['user_id'], rows: SHORT },
  { table: 'sessions', key: ['id'], rows: SHORT },
  { table: 'oauth_records', key: ['kind', 'hash'], rows: SHORT },
  { table: 'oauth_clients', key: ['id'], rows: SHORT },
  { table: 'oauth_signing_keys', key: ['id'], rows: SHORT },
  { table: 'publishable_origins', key: ['key_id', 'origin'], rows: SHORT },
  { table: 'api_keys', key: ['id'], rows: SHORT },
  { table: 'invitations', key: ['id'], rows: SHORT },
  { table: 'password_resets', key: ['user_id'], rows: SHORT },
  { table: 'mail_outbox', key: ['id'], rows: SHORT },
  { table: 'user_erasures', key: ['user_id'], rows: SHORT },
  { table: 'user_passwords', key: ['user_id'], rows: SHORT },
  { table: 'user_identities', key: ['issuer', 'subject'], rows: SHORT },
  { table: 'workspace_members', key: ['workspace_id', 'user_id'], rows: SHORT },
  { table: 'project_entries', key: ['project_id', 'entry_id'], rows: SHORT },
  { table: 'site_entries', key: ['site_id', 'entry_id'], rows: SHORT },
  { table: 'entry_tags', key: ['tag', 'created_at', 'entry_id'], rows: SHORT },
  { table: 'entry_vectors', key: ['entry_id', 'model'], rows: LONG },
  { table: 'entry_versions', key: ['entry_id', 'version'], rows: LONG },
  { table: 'entry_tombstones', key: ['entry_id'], rows: SHORT },
  { table: 'entries', key: ['id'], rows: LONG },
  { table: 'binned_entry_versions', key: ['entry_id', 'version'], rows: LONG },
  { table: 'binned_entries', key: ['id'], rows: LONG },
  { table: 'categories', key: ['id'], rows: SHORT },
  { table: 'projects', key: ['id'], rows: SHORT },
  { table: 'workspaces', key: ['id'], rows: SHORT },
  { table: 'judged_runs', key: ['id'], rows: LONG },
  { table: 'judged_queries', key: ['id'], rows: LONG },
  { table: 'judged_sets', key: ['id'], rows: SHORT },
  { table: 'product_vectors', key: ['product_id', 'model'], rows: LONG },
  { table: 'product_tombstones', key: ['product_id'], rows: SHORT },
  { table: 'products', key: ['id'], rows: LONG },
  { table: 'product_sync_runs', key: ['id'], rows: SHORT },
  { table: 'merchandising_rules', key: ['id'], rows: SHORT },
  { table: 'merchandising', key: [], rows: SHORT },
  { table: 'sites', key: ['id'], rows: LONG },
  { table: 'search_log', key: ['id', 'section'], rows: SHORT },
  { table: 'search_clicks', key: ['id'], rows: SHORT },
  { table: 'click_boosts', key: ['site_id', 'query_key', 'product_id'], rows: SHORT },
  { table: 'visitor_salts', key: ['period'], rows: SHORT },
  { table: 'users', key: ['id'], rows: SHORT },
  { table: 'sign_in_rules', key: [], rows: SHORT },
  { table: 'audit_log', key: ['id'], rows: SHORT },
  { table: 'usage_days', key: ['day'], rows: SHORT },
  { table: 'tenant_usage', key: [], rows: SHORT },
]

/** Returns the ids of tenants whose removal may begin, or has begun. */
export async function dueTenants(db: Queries, now: number): Promise<string[]> {
  const rows = await db
    .selectFrom('tenants')
    .select('tenant_id')
    .where('suspended_at', 'is not', null)
    .where('remove_at', '<=', now)
    .orderBy('remove_at')
    .execute()
  return rows.map((row) => row.tenant_id)
}

/**
 * Deletes some rows of a tenant from a table.
 * @returns the number of rows; less than `rows` when the table has no more that can be deleted now
 */
export async function deleteSome(tx: Queries, { table, key, rows }: TenantTable, tenantId: string): Promise<number> {
  const columns = sql.join(['tenant_id', ...key].map((column) => sql.ref(column)))
  const { numAffectedRows = 0n } = await sql`
    delete from ${sql.table(table)} where tenant_id = ${tenantId} and (${columns}) in (
      select ${columns} from ${sql.table(table)} where tenant_id = ${tenantId} and ${isLast(table)} limit ${rows}
    )`.execute(tx)
  return Number(numAffectedRows)
}

/**
 * Returns the condition for rows that may go: of categories those without children, since a child refers to its parent.
 */
function isLast(table: keyof Tables) {
  return table === 'categories'
    ? sql`not exists (
        select 1 from categories as below
        where below.tenant_id = categories.tenant_id and below.parent_id = categories.id)`
    : sql`1 = 1`
}

/** Deletes the row of a tenant, and notes its id so that no other gets it. @returns false when it was gone before */
export async function deleteTenant(tx: Queries, tenantId: string, now: number): Promise<boolean> {
  const { numDeletedRows } = await tx
    .deleteFrom('tenants')
    .where('tenant_id', '=', tenantId)
    .where('removing_at', 'is not', null)
    .executeTakeFirstOrThrow()
  if (numDeletedRows === 0n) return false
  await tx.insertInto('removed_tenants').values({ tenant_id: tenantId, removed_at: now }).execute()
  return true
}

/** Returns the ids of tenants that were removed since a time. */
export async function removedSince(db: Queries, since: number): Promise<string[]> {
  const rows = await db.selectFrom('removed_tenants').select('tenant_id').where('removed_at', '>=', since).execute()
  return rows.map((row) => row.tenant_id)
}
