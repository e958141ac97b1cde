import { sql } from 'kysely'
import type { Queries } from '../../platform/database/database.ts'

/** The salt of a tenant's visitors for a period, sealed. */
export async function findSalt(db: Queries, tenantId: string, period: number): Promise<string | undefined> {
  const row = await db
    .selectFrom('visitor_salts')
    .select('sealed')
    .where('tenant_id', '=', tenantId)
    .where('period', '=', period)
    .executeTakeFirst()
  return row?.sealed
}

/** Keeps a salt, unless another process was first or there is no such tenant. */
export async function insertSalt(tx: Queries, tenantId: string, period: number, sealed: string): Promise<void> {
  await sql`
    insert into visitor_salts (tenant_id, period, sealed)
    select tenant_id, ${sql.lit(period)}, ${sealed} from tenants where tenant_id = ${tenantId}
    on conflict do nothing`.execute(tx)
}

/** Forgets the salts of all tenants for the periods before one. */
export async function deleteSaltsBefore(tx: Queries, period: number): Promise<void> {
  await tx.deleteFrom('visitor_salts').where('period', '<', period).execute()
}
