import { sql } from 'kysely'
import type { Queries } from '../../platform/database/database.ts'

/** Quotas of a tenant, and its use as far as no count is needed. Times are milliseconds since 1970. */
export interface TenantUse {
  /** JSON; null where none is set. */
  readonly quotas: string | null
  readonly embedding_paused_until: number | null
  /** Bytes of text written since the last count. */
  readonly grown_bytes: number
  readonly watermark: number
  readonly counted_at: number | null
  /** Entries at the last count; null before the first. */
  readonly entries: number | null
  /** Bytes of text at the last count; null before the first. */
  readonly bytes: number | null
  /** The tenant's watermark at the last count. */
  readonly counted_watermark: number | null
}

/** Returns the use of a tenant; null when there is no such tenant. */
export async function findUse(db: Queries, tenantId: string): Promise<TenantUse | null> {
  const row = await db
    .selectFrom('tenants as t')
    .leftJoin('tenant_usage as u', 'u.tenant_id', 't.tenant_id')
    .select(['t.quotas', 't.embedding_paused_until', 't.grown_bytes', 't.watermark'])
    .select(['u.counted_at', 'u.entries', 'u.bytes', 'u.watermark as counted_watermark'])
    .where('t.tenant_id', '=', tenantId)
    .executeTakeFirst()
  return row ?? null
}

/** Counts a tenant's entries. The count ends at `most`, so that it never takes long. */
export async function countEntries(db: Queries, tenantId: string, most: number): Promise<number> {
  const { rows } = await sql<{ n: number }>`
    select count(*) as n from (select 1 as one from entries where tenant_id = ${tenantId} limit ${most}) as looked_at`.execute(
    db,
  )
  return rows[0].n
}

/** Adds to the bytes written since the last count. The caller holds the lock of the tenant's row. */
export async function addGrown(tx: Queries, tenantId: string, bytes: number): Promise<void> {
  await tx
    .updateTable('tenants')
    .set((eb) => ({ grown_bytes: eb('grown_bytes', '+', bytes) }))
    .where('tenant_id', '=', tenantId)
    .execute()
}

/** Stores the quotas of a tenant. Bytes that were written without a quota appear with the next count. */
export async function putQuotas(tx: Queries, tenantId: string, quotas: string | null): Promise<void> {
  await tx.updateTable('tenants').set({ quotas }).where('tenant_id', '=', tenantId).execute()
}

/** Returns the tenants that have quotas, or whose embedding is paused. */
export async function boundTenants(
  db: Queries,
): Promise<{ tenant_id: string; quotas: string | null; embedding_paused_until: number | null }[]> {
  return db
    .selectFrom('tenants')
    .select(['tenant_id', 'quotas', 'embedding_paused_until'])
    .where((eb) => eb.or([eb('quotas', 'is not', null), eb('embedding_paused_until', 'is not', null)]))
    .execute()
}

/** Sums the tokens embedded from a day on, such as `2027-02-01`. */
export async function tokensSince(db: Queries, tenantId: string, day: string): Promise<number> {
  const row = await db
    .selectFrom('usage_days')
    .select((eb) => eb.fn.sum<number | null>('tokens').as('tokens'))
    .where('tenant_id', '=', tenantId)
    .where('day', '>=', day)
    .executeTakeFirst()
  return row?.tokens ?? 0
}

/** Sets when a pause of embedding ends, in milliseconds since 1970; null for no pause. */
export async function pauseUntil(tx: Queries, tenantId: string, until: number | null): Promise<void> {
  await tx.updateTable('tenants').set({ embedding_paused_until: until }).where('tenant_id', '=', tenantId).execute()
}
