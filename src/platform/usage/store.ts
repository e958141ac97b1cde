import type { Queries } from '../database/database.ts'
import type { UsageDayRow } from '../database/tables.ts'

/** Fields of a day that add up. */
const SUMS = ['searches', 'tokens', 'requests', 'work_ms', 'transferred'] as const

/**
 * Adds counts to a tenant's row of a day, which keeps the most memory of indexes. Does nothing for a tenant that has
 * been removed.
 */
export async function addToDay(tx: Queries, { tenant_id: tenantId, day, ...counts }: UsageDayRow): Promise<void> {
  const fields = [...SUMS, 'index_bytes'] as const
  await tx
    .insertInto('usage_days')
    .columns(['tenant_id', 'day', ...fields])
    .expression((eb) =>
      eb
        .selectFrom('tenants')
        .select((row) => ['tenant_id', row.val(day).as('day')])
        .select((row) => fields.map((field) => row.cast<number>(row.val(counts[field]), 'bigint').as(field)))
        .where('tenant_id', '=', tenantId),
    )
    .onConflict((on) =>
      on.columns(['tenant_id', 'day']).doUpdateSet((eb) => ({
        searches: eb('usage_days.searches', '+', counts.searches),
        tokens: eb('usage_days.tokens', '+', counts.tokens),
        requests: eb('usage_days.requests', '+', counts.requests),
        work_ms: eb('usage_days.work_ms', '+', counts.work_ms),
        transferred: eb('usage_days.transferred', '+', counts.transferred),
        index_bytes: eb
          .case()
          .when('usage_days.index_bytes', '<', counts.index_bytes)
          .then(counts.index_bytes)
          .else(eb.ref('usage_days.index_bytes'))
          .end(),
      })),
    )
    .execute()
}
