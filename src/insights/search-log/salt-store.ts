import { sql } from 'kysely'
import type { Queries } from '../../platform/database/database.ts'

/** Returns the sealed salt of a tenant's visitors for a period; undefined when there is none. */
export async function findSalt(db: Queries, tenantId: string, period: number): Promise<string | undefined> {
  const row = await db
    .selectFrom('visitor_salts')
    .select('sealed')
    .where('tenant_id', '=', tenantId)
    .where('period', '=', period)
    .executeTakeFirst()
  return row?.sealed
}

/** Stores a salt, unless another process has stored one or the tenant does not exist. */
export async function insertSalt(tx: Queries, tenantId: string, period: number, sealed: string): Promise<void> {
  await sql`
    insert into visitor_salts (tenant_id, period, sealed)
    select tenant_id, ${sql.lit(period)}, ${sealed} from tenants where tenant_id = ${tenantId}
    on conflict do nothing`.execute(tx)
}

/** Deletes the salts of all tenants from before a period. */
export async function deleteSaltsBefore(tx: Queries, period: number): Promise<void> {
  await tx.deleteFrom('visitor_salts').where('period', '<', period).execute()
}
