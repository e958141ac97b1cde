import type { Expression, SqlBool } from 'kysely'
import type { Queries } from '../../platform/database/database.ts'
import type { AuditRow } from '../../platform/database/tables.ts'

/** Filter of records; an absent field leaves none out. Times are milliseconds since 1970. */
export interface RecordFilter {
  readonly user_id?: string
  readonly credential_id?: string
  readonly client_id?: string
  readonly action?: string
  readonly resource_type?: string
  readonly resource_id?: string
  readonly source?: string
  readonly isRefused?: boolean
  readonly from?: number
  readonly to?: number
  /** Id of the newest record that may match. */
  readonly upTo?: string
}

const COLUMNS = [
  'user_id',
  'credential_id',
  'client_id',
  'action',
  'resource_type',
  'resource_id',
  'source',
] as const satisfies readonly (keyof RecordFilter & keyof AuditRow)[]

/**
 * Stretch of the log, newest first: ids below `before`, down to and including `end`. Null in `before` stands for the
 * newest record, in `end` for the oldest.
 */
export interface Stretch {
  readonly before: string | null
  readonly end: string | null
}

/** Returns the id of the record `rows` places after `before`, newest first; null when the log ends earlier. */
export async function endOfStretch(
  db: Queries,
  tenantId: string,
  before: string | null,
  rows: number,
): Promise<string | null> {
  let query = db.selectFrom('audit_log').select('id').where('tenant_id', '=', tenantId)
  if (before !== null) query = query.where('id', '<', before)
  const row = await query
    .orderBy('id', 'desc')
    .offset(rows - 1)
    .limit(1)
    .executeTakeFirst()
  return row?.id ?? null
}

/** Returns the first records of a stretch that match, newest first. Ids of later records sort later. */
export async function recordsIn(
  db: Queries,
  tenantId: string,
  { before, end }: Stretch,
  filter: RecordFilter,
  limit: number,
): Promise<AuditRow[]> {
  let query = db.selectFrom('audit_log').selectAll().where('tenant_id', '=', tenantId)
  if (before !== null) query = query.where('id', '<', before)
  if (end !== null) query = query.where('id', '>=', end)
  return query
    .where((eb) => {
      const all: Expression<SqlBool>[] = []
      for (const column of COLUMNS) {
        const value = filter[column]
        if (value !== undefined) all.push(eb(column, '=', value))
      }
      if (filter.isRefused !== undefined) all.push(eb('action', filter.isRefused ? 'like' : 'not like', '%_refused'))
      if (filter.from !== undefined) all.push(eb('at', '>=', filter.from))
      if (filter.to !== undefined) all.push(eb('at', '<', filter.to))
      if (filter.upTo !== undefined) all.push(eb('id', '<=', filter.upTo))
      return eb.and(all)
    })
    .orderBy('id', 'desc')
    .limit(limit)
    .execute()
}

/** Returns the id of the newest record; null for an empty log. */
export async function newestId(db: Queries, tenantId: string): Promise<string | null> {
  return endOfStretch(db, tenantId, null, 1)
}

/** Returns the time of the oldest record in milliseconds since 1970; null for an empty log. */
export async function oldestAt(db: Queries, tenantId: string): Promise<number | null> {
  const query = db.selectFrom('audit_log').select('at').where('tenant_id', '=', tenantId)
  return (await query.orderBy('id').limit(1).executeTakeFirst())?.at ?? null
}

/** Deletes the records before a time among the `rows` oldest ones. @returns number of deleted records */
export async function deleteOldest(tx: Queries, tenantId: string, before: number, rows: number): Promise<number> {
  const { numDeletedRows } = await tx
    .deleteFrom('audit_log')
    .where('tenant_id', '=', tenantId)
    .where('at', '<', before)
    .where('id', 'in', (eb) =>
      eb.selectFrom('audit_log').select('id').where('tenant_id', '=', tenantId).orderBy('id').limit(rows),
    )
    .executeTakeFirstOrThrow()
  return Number(numDeletedRows)
}
