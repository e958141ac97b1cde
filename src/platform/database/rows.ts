import { type SelectQueryBuilder, sql } from 'kysely'
import type { Tables } from './tables.ts'

/** Whether a query that selects nothing yet finds any row. */
export async function findsAny<Table extends keyof Tables>(
  query: SelectQueryBuilder<Tables, Table, object>,
): Promise<boolean> {
  const row = await query.select(sql.lit(1).as('found')).limit(1).executeTakeFirst()
  return row !== undefined
}
