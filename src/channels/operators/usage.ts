import { dayOf } from '../../platform/usage/usage-tally.ts'
import { invalid } from '../../platform/faults.ts'
import type { UsageFigures, UsageDays, Use } from '../../composition/tenants/usage-figures.ts'
import type { TenantUsageRow } from '../../platform/database/tables.ts'
import type { TenantUsage } from './contract.ts'
import { csvOf } from './csv.ts'

/**
 * Returns the first and last day of a query: by default the current month so far.
 * @throws Fault invalid, naming the parameter
 */
export function daysIn({ from, to }: Partial<UsageDays>, now: number): UsageDays {
  const last = to === undefined ? dayOf(now) : requireDay(to, 'to')
  const first = from === undefined ? `${last.slice(0, 8)}01` : requireDay(from, 'from')
  if (first > last) throw invalid(['query', 'from'], 'value_error', 'Input should be no later than `to`')
  return { from: first, to: last }
}

function requireDay(text: string, name: 'from' | 'to'): string {
  const isDay = /^\d{4}-\d{2}-\d{2}$/.test(text) && !Number.isNaN(Date.parse(text)) && dayOf(Date.parse(text)) === text
  if (!isDay) throw invalid(['query', name], 'date_parsing', 'Input should be a day such as 2027-02-19')
  return text
}

/** Returns the last count of a tenant in the form of an answer. */
export function countedOf(row: TenantUsageRow | null) {
  return {
    counted_at: row === null ? null : new Date(row.counted_at).toISOString(),
    entries: row?.entries ?? 0,
    products: row?.products ?? 0,
    passages: row?.passages ?? 0,
    bytes: row?.bytes ?? 0,
    users: row?.users ?? 0,
    api_keys: row?.keys ?? 0,
  }
}

/** Returns what a tenant used in the form of an answer. */
export function usedOf({ tokens, transferred, ...use }: Use) {
  const { searches, requests, work_ms: workMs, index_bytes: indexBytes } = use
  return {
    searches,
    tokens_embedded: tokens,
    requests,
    work_ms: workMs,
    transferred_bytes: transferred,
    index_bytes: indexBytes,
  }
}

export function usageOf({ tenantId, name, counted, use }: UsageFigures): TenantUsage {
  return { tenant_id: tenantId, name, ...countedOf(counted), ...usedOf(use) }
}

const COLUMNS = [
  'tenant_id',
  'name',
  'counted_at',
  'entries',
  'products',
  'passages',
  'bytes',
  'users',
  'api_keys',
  'searches',
  'tokens_embedded',
  'requests',
  'work_ms',
  'transferred_bytes',
  'index_bytes',
] as const satisfies readonly (keyof TenantUsage)[]

/** Writes the usage of tenants as CSV, one line each. */
export function usageCsv(items: readonly TenantUsage[]): string {
  return csvOf(
    COLUMNS,
    items.map((item) => COLUMNS.map((column) => item[column])),
  )
}
