import type { Queries } from '../database/database.ts'
import type { UsageDayRow } from '../database/tables.ts'

/** Adds searches and tokens to a tenant's row of a day. Does nothing for a tenant that has been removed. */
export async function addToDay(
  tx: Queries,
  { tenant_id: tenantId, day, searches, tokens }: UsageDayRow,
): Promise<void> {
  await tx
    .insertInto('usage_days')
    .columns(['tenant_id', 'day', 'searches', 'tokens'])
    .expression((eb) =>
      eb
        .selectFrom('tenants')
        .select((row) => [
          'tenant_id',
          row.val(day).as('day'),
          row.cast<number>(row.val(searches), 'bigint').as('searches'),
          row.cast<number>(row.val(tokens), 'bigint').as('tokens'),
        ])
        .where('tenant_id', '=', tenantId),
    )
    .onConflict((on) =>
      on.columns(['tenant_id', 'day']).doUpdateSet((eb) => ({
        searches: eb('usage_days.searches', '+', searches),
        tokens: eb('usage_days.tokens', '+', tokens),
      })),
    )
    .execute()
}
