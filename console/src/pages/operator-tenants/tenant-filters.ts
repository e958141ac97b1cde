import { TENANT_STATES, type TenantState } from '../operator/states.ts'

/** Filters in the address. */
export interface TenantFilters {
  readonly q?: string
  readonly state?: TenantState
  /** Month, such as 2026-11; absent for the current one. */
  readonly month?: string
}

const TEXT_MAX = 200
const MONTH = /^\d{4}-(0[1-9]|1[0-2])$/

/** Reads the filters of an address, and leaves out values that make no sense. */
export function readFilters(search: Record<string, unknown>): TenantFilters {
  const { q, state, month } = search
  // The router reads `q=2026` as a number.
  const text = typeof q === 'string' || typeof q === 'number' ? String(q).slice(0, TEXT_MAX) : ''
  const validState = TENANT_STATES.find((each) => each === state)
  return {
    ...(text.trim() === '' ? {} : { q: text }),
    ...(validState === undefined ? {} : { state: validState }),
    ...(typeof month === 'string' && MONTH.test(month) ? { month } : {}),
  }
}

/** Returns the first and the last day of a month, as the service takes them. */
export function daysOf(month: string): { readonly from: string; readonly to: string } {
  const [year = 0, number = 1] = month.split('-').map(Number)
  const last = new Date(Date.UTC(year, number, 0)).getUTCDate()
  return { from: `${month}-01`, to: `${month}-${String(last).padStart(2, '0')}` }
}

/** Returns the month of a time in UTC, and those before it, the newest first. */
export function monthsBefore(nowMs: number, count: number): readonly string[] {
  const now = new Date(nowMs)
  return Array.from({ length: count }, (_, back) =>
    new Date(Date.UTC(now.getUTCFullYear(), now.getUTCMonth() - back, 1)).toISOString().slice(0, 7),
  )
}
