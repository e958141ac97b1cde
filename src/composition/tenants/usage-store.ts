import { type RawBuilder, sql } from 'kysely'
import type { Database, Queries } from '../../platform/database/database.ts'
import { ENTRY_TEXTS } from '../../platform/database/entry-rows.ts'
import { comesAfter, textBytes } from '../../platform/database/page.ts'
import { PRODUCT_TEXTS } from '../../platform/database/product-rows.ts'
import type { Tables, TenantUsageRow, UsageDayRow } from '../../platform/database/tables.ts'
import type { UsageFigures, UsageDays, Use } from './usage-figures.ts'

/** A table that is walked along its primary key, and the bytes of a row, which are added up. */
interface MeasuredTable {
  readonly table: keyof Tables
  readonly key: readonly string[]
  readonly bytes: RawBuilder<number>
}

/** The number of passages of a row: each has eight bytes of offsets. */
const OFFSETS = sql<number>`octet_length(offsets) / 8`

export const ENTRIES: MeasuredTable = { table: 'entries', key: ['id'], bytes: textBytes(ENTRY_TEXTS) }
export const PRODUCTS: MeasuredTable = { table: 'products', key: ['id'], bytes: textBytes(PRODUCT_TEXTS) }
/** Adds up passages in place of bytes. */
export const PASSAGES: MeasuredTable = { table: 'entry_vectors', key: ['entry_id', 'model'], bytes: OFFSETS }
/** Tables with texts of entries beside the entries themselves. */
export const OTHER_TEXTS: readonly MeasuredTable[] = [
  { table: 'entry_versions', key: ['entry_id', 'version'], bytes: textBytes(['snapshot']) },
  { table: 'binned_entries', key: ['id'], bytes: textBytes(['entry']) },
  { table: 'binned_entry_versions', key: ['entry_id', 'version'], bytes: textBytes(['snapshot']) },
]

/** Rows of one statement, which takes the thread that answers HTTP about a millisecond. */
const STEP_ROWS = 1_000

/** Counts the next rows of a tenant after a key. @returns last: the key to go on after; null at the end */
export async function countSome(
  db: Queries,
  { table, key, bytes }: MeasuredTable,
  tenantId: string,
  after: readonly (string | number)[] | null,
): Promise<{ rows: number; bytes: number; last: readonly (string | number)[] | null }> {
  const columns = sql.join(key.map((column) => sql.ref(column)))
  const beyond = after === null ? sql`1 = 1` : comesAfter(key, after)
  const { rows } = await sql<Record<string, string | number>>`
    select ${columns}, ${bytes} as bytes_of_row from ${sql.table(table)}
    where tenant_id = ${tenantId} and ${beyond} order by ${columns} limit ${STEP_ROWS}`.execute(db)
  const end = rows.at(-1)
  return {
    rows: rows.length,
    bytes: rows.reduce((sum, row) => sum + Number(row.bytes_of_row), 0),
    last: end === undefined || rows.length < STEP_ROWS ? null : key.map((column) => end[column]),
  }
}

/** Counts users who are not disabled, and keys in force. @param now milliseconds since 1970 */
export async function countAccess(
  db: Queries,
  tenantId: string,
  now: number,
): Promise<Pick<TenantUsageRow, 'users' | 'keys'>> {
  const users = await db
    .selectFrom('users')
    .select((eb) => eb.fn.countAll<number>().as('count'))
    .where('tenant_id', '=', tenantId)
    .where('disabled_at', 'is', null)
    .executeTakeFirstOrThrow()
  const keys = await db
    .selectFrom('api_keys')
    .select((eb) => eb.fn.countAll<number>().as('count'))
    .where('tenant_id', '=', tenantId)
    .where('revoked_at', 'is', null)
    .where((eb) => eb.or([eb('expires_at', 'is', null), eb('expires_at', '>', now)]))
    .executeTakeFirstOrThrow()
  return { users: users.count, keys: keys.count }
}

/** A tenant that may be due for a count. */
export interface TenantToCount {
  readonly tenantId: string
  readonly watermark: number
  /** The last count; null before the first. */
  readonly last: TenantUsageRow | null
  readonly quotas: string | null
  /** Bytes of text written since the last count. */
  readonly grownBytes: number
}

/** Returns the tenants that are not suspended and that have quotas or were not counted since a time. */
export async function tenantsToCount(db: Queries, before: number): Promise<TenantToCount[]> {
  const rows = await db
    .selectFrom('tenants as t')
    .leftJoin('tenant_usage as u', 'u.tenant_id', 't.tenant_id')
    .where('t.suspended_at', 'is', null)
    .where((eb) =>
      eb.or([eb('u.counted_at', 'is', null), eb('u.counted_at', '<', before), eb('t.quotas', 'is not', null)]),
    )
    .orderBy('t.tenant_id')
    .select(['t.tenant_id', 't.watermark as newest', 't.quotas', 't.grown_bytes'])
    .select(['u.tenant_id as counted', 'u.counted_at', 'u.watermark', 'u.entries', 'u.products', 'u.passages'])
    .select(['u.bytes', 'u.users', 'u.keys'])
    .execute()
  return rows.map(({ newest, counted, quotas, grown_bytes: grownBytes, ...row }) => ({
    tenantId: row.tenant_id,
    watermark: newest,
    quotas,
    grownBytes,
    last: counted === null ? null : (row as TenantUsageRow),
  }))
}

/**
 * Stores a count, unless the tenant is gone or another process has counted it later.
 * @param grownBytes bytes of text written between the last count and the beginning of this one
 */
export async function putUsage(tx: Queries, row: TenantUsageRow, grownBytes = 0): Promise<void> {
  const isThere = await tx.selectFrom('tenants').select('tenant_id').where('tenant_id', '=', row.tenant_id).execute()
  if (isThere.length === 0) return
  const { tenant_id: _tenant, ...change } = row
  const { numInsertedOrUpdatedRows } = await tx
    .insertInto('tenant_usage')
    .values(row)
    .onConflict((on) =>
      on.columns(['tenant_id']).doUpdateSet(change).where('tenant_usage.counted_at', '<=', row.counted_at),
    )
    .executeTakeFirstOrThrow()
  if (grownBytes === 0 || numInsertedOrUpdatedRows === 0n) return
  // Another process may have counted the same text.
  await tx
    .updateTable('tenants')
    .set((eb) => ({
      grown_bytes: eb
        .case()
        .when('grown_bytes', '>', grownBytes)
        .then(eb('grown_bytes', '-', grownBytes))
        .else(0)
        .end(),
    }))
    .where('tenant_id', '=', row.tenant_id)
    .execute()
}

/** Fields of days that add up. */
const SUMS = ['searches', 'tokens', 'requests', 'work_ms', 'transferred'] as const

/** Returns the last counts of these tenants, and their use in these days, sorted by their ids. */
export async function listUsage(
  db: Queries,
  { from, to }: UsageDays,
  tenantIds: readonly string[],
): Promise<UsageFigures[]> {
  if (tenantIds.length === 0) return []
  const rows = await db
    .selectFrom('tenants as t')
    .leftJoin('tenant_usage as u', 'u.tenant_id', 't.tenant_id')
    .leftJoin(
      (eb) =>
        eb
          .selectFrom('usage_days')
          .select('tenant_id')
          .select((of) => SUMS.map((field) => of.fn.sum<number>(field).as(field)))
          .select((of) => of.fn.max('index_bytes').as('index_bytes'))
          .where('day', '>=', from)
          .where('day', '<=', to)
          .where('tenant_id', 'in', tenantIds)
          .groupBy('tenant_id')
          .as('d'),
      (join) => join.onRef('d.tenant_id', '=', 't.tenant_id'),
    )
    .select(['t.tenant_id', 't.name', 'd.searches', 'd.tokens', 'd.requests', 'd.work_ms', 'd.transferred'])
    .select(['d.index_bytes', 'u.tenant_id as counted', 'u.counted_at'])
    .select(['u.watermark', 'u.entries', 'u.products', 'u.passages', 'u.bytes', 'u.users', 'u.keys'])
    .where('t.tenant_id', 'in', tenantIds)
    .orderBy('t.tenant_id')
    .execute()
  return rows.map(({ name, counted, searches, tokens, requests, transferred, ...more }) => {
    const { work_ms: workMs, index_bytes: indexBytes, ...row } = more
    return {
      tenantId: row.tenant_id,
      name,
      counted: counted === null ? null : (row as TenantUsageRow),
      use: {
        searches: searches ?? 0,
        tokens: tokens ?? 0,
        requests: requests ?? 0,
        work_ms: workMs ?? 0,
        transferred: transferred ?? 0,
        index_bytes: indexBytes ?? 0,
      },
    }
  })
}

/** Returns the use of a tenant on each of these days, oldest first, without days of no use. */
export async function usageByDay(
  db: Queries,
  tenantId: string,
  { from, to }: UsageDays,
): Promise<(Use & Pick<UsageDayRow, 'day'>)[]> {
  return db
    .selectFrom('usage_days')
    .select(['day', ...SUMS, 'index_bytes'])
    .where('tenant_id', '=', tenantId)
    .where('day', '>=', from)
    .where('day', '<=', to)
    .orderBy('day')
    .execute()
}

/** Returns the last count of a tenant; null before the first. */
export async function findUsage({ queries }: Database, tenantId: string): Promise<TenantUsageRow | null> {
  const query = queries.selectFrom('tenant_usage').selectAll().where('tenant_id', '=', tenantId)
  return (await query.executeTakeFirst()) ?? null
}
