import { sql } from 'kysely'
import type { Queries } from '../../platform/database/database.ts'

/** What is known of a tenant without counting. */
export interface KnownUse {
  readonly quotas: string | null
  readonly embedding_paused_until: number | null
  /** Bytes of text written since the last count. */
  readonly grown_bytes: number
  readonly watermark: number
  readonly counted_at: number | null
  /** Of the last count; null before the first. */
  readonly entries: number | null
  readonly bytes: number | null
  /** The tenant's watermark when it was counted. */
  readonly counted_watermark: number | null
}

/** Null without the tenant. */
export async function findUse(db: Queries, tenantId: string): Promise<KnownUse | null> {
  const row = await db
    .selectFrom('tenants as t')
    .leftJoin('tenant_usage as u', 'u.tenant_id', 't.tenant_id')
    .select(['t.quotas', 't.embedding_paused_until', 't.grown_bytes', 't.watermark'])
    .select(['u.counted_at', 'u.entries', 'u.bytes', 'u.watermark as counted_watermark'])
    .where('t.tenant_id', '=', tenantId)
    .executeTakeFirst()
  return row ?? null
}

/** How many entries a tenant has, at most `most`: further ones are not looked at. */
export async function countEntries(db: Queries, tenantId: string, most: number): Promise<number> {
  const { rows } = await sql<{ n: number }>`
    select count(*) as n from (select 1 as one from entries where tenant_id = ${tenantId} limit ${most}) as looked_at`.execute(
    db,
  )
  return rows[0].n
}

/** Notes text that was written; the tenant's row is locked already. */
export async function addGrown(tx: Queries, tenantId: string, bytes: number): Promise<void> {
  await tx
    .updateTable('tenants')
    .set((eb) => ({ grown_bytes: eb('grown_bytes', '+', bytes) }))
    .where('tenant_id', '=', tenantId)
    .execute()
}

/** Stores quotas. What was written before is in the next count. */
export async function putQuotas(tx: Queries, tenantId: string, quotas: string | null): Promise<void> {
  await tx.updateTable('tenants').set({ quotas }).where('tenant_id', '=', tenantId).execute()
}

/** Tenants that have quotas, or whose embedding is paused. */
export async function boundTenants(
  db: Queries,
): Promise<{ tenant_id: string; quotas: string | null; embedding_paused_until: number | null }[]> {
  return db
    .selectFrom('tenants')
    .select(['tenant_id', 'quotas', 'embedding_paused_until'])
    .where((eb) => eb.or([eb('quotas', 'is not', null), eb('embedding_paused_until', 'is not', null)]))
    .execute()
}

/** Tokens embedded from a day on, such as `2027-02-01`. */
export async function tokensSince(db: Queries, tenantId: string, day: string): Promise<number> {
  const row = await db
    .selectFrom('usage_days')
    .select((eb) => eb.fn.sum<number | null>('tokens').as('tokens'))
    .where('tenant_id', '=', tenantId)
    .where('day', '>=', day)
    .executeTakeFirst()
  return row?.tokens ?? 0
}

export async function pauseUntil(tx: Queries, tenantId: string, until: number | null): Promise<void> {
  await tx.updateTable('tenants').set({ embedding_paused_until: until }).where('tenant_id', '=', tenantId).execute()
}
