import assert from 'node:assert/strict'
import { sql } from 'kysely'
import type { Database } from '../../src/platform/database/database.ts'
import { atRest } from '../support/at-rest.ts'

const TABLES = [
  'tenants',
  'users',
  'api_keys',
  'publishable_origins',
  'audit_log',
  'categories',
  'workspaces',
  'workspace_members',
  'projects',
  'project_entries',
  'entries',
  'entry_versions',
  'entry_tags',
  'entry_tombstones',
  'binned_entries',
  'binned_entry_versions',
  'entry_vectors',
  'embedding_jobs',
  'sites',
  'site_entries',
  'products',
  'product_vectors',
  'product_tombstones',
  'merchandising',
  'merchandising_rules',
  'product_sync_runs',
  'judged_sets',
  'judged_queries',
  'judged_runs',
  'user_passwords',
  'user_identities',
  'sign_in_rules',
  'sessions',
  'user_totp',
  'recovery_codes',
  'passkeys',
  'factor_resets',
  'sign_in_steps',
  'passkey_challenges',
  'used_logout_tokens',
  'invitations',
  'password_resets',
  'mail_outbox',
  'user_erasures',
  'oauth_clients',
  'oauth_records',
] as const

/**
 * Columns that are not a tenant's data: the last use of a key, and the watermark, which even a refused line of a bulk
 * increments.
 */
const BEHIND = new Set(['last_used_at', 'watermark'])

/** Tables that the embedding queue writes by itself. */
const EMBEDDED_TABLES = new Set<string>(['embedding_jobs', 'entry_vectors', 'product_vectors'])
const EMBEDDED_COLUMNS = new Set(['embedding_model', 'embedding_paused_until', 'model_chosen_at', 'seq'])

/** Runs `work`, and fails if it changed a single row of these tenants. */
export async function assertUntouched(
  database: Database,
  tenantIds: readonly string[],
  work: () => Promise<unknown>,
): Promise<void> {
  await atRest(database)
  const before = await rowsOf(database, tenantIds)
  await work()
  assertSame(before, await rowsOf(database, tenantIds))
}

/**
 * Remembers the rows of a tenant, except those that the embedding queue writes, which may go on.
 * @returns a check that fails if one of the rows has changed by then
 */
export async function rememberRows(database: Database, tenantId: string): Promise<() => Promise<void>> {
  const before = await rowsOf(database, [tenantId], false)
  return async () => assertSame(before, await rowsOf(database, [tenantId], false))
}

function assertSame(before: ReadonlySet<string>, now: ReadonlySet<string>): void {
  const changes = [...now.difference(before)].map((row) => `now ${row.slice(0, 400)}`)
  const losses = [...before.difference(now)].map((row) => `no more ${row.slice(0, 400)}`)
  assert.deepEqual([...changes, ...losses].slice(0, 5), [])
}

async function rowsOf({ queries }: Database, tenantIds: readonly string[], withEmbedded = true): Promise<Set<string>> {
  const all = new Set<string>()
  const isLeftOut = (name: string): boolean => BEHIND.has(name) || (!withEmbedded && EMBEDDED_COLUMNS.has(name))
  for (const table of TABLES) {
    if (!withEmbedded && EMBEDDED_TABLES.has(table)) continue
    const { rows } =
      await sql<object>`select * from ${sql.table(table)} where tenant_id in (${sql.join(tenantIds)})`.execute(queries)
    for (const row of rows)
      all.add(`${table} ${JSON.stringify(row, (name, value) => (isLeftOut(name) ? null : value))}`)
  }
  return all
}
