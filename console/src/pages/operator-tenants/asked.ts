import { TENANT_STATES, type TenantState } from '../operator/states.ts'

/** The filters in the address. */
export interface Asked {
  readonly q?: string
  readonly state?: TenantState
  /** Such as 2026-11; without it the current month. */
  readonly month?: string
}

const TEXT_MAX = 200
const MONTH = /^\d{4}-(0[1-9]|1[0-2])$/

/** Reads an address; what makes no sense in it is left out. */
export function readAsked(search: Record<string, unknown>): Asked {
  const { q, state, month } = search
  // The router reads `q=2026` as a number.
  const text = typeof q === 'string' || typeof q === 'number' ? String(q).slice(0, TEXT_MAX) : ''
  const known = TENANT_STATES.find((each) => each === state)
  return {
    ...(text.trim() === '' ? {} : { q: text }),
    ...(known === undefined ? {} : { state: known }),
    ...(typeof month === 'string' && MONTH.test(month) ? { month } : {}),
  }
}

/** First and last day of a month, as the service takes them. */
export function daysOf(month: string): { readonly from: string; readonly to: string } {
  const [year = 0, number = 1] = month.split('-').map(Number)
  const last = new Date(Date.UTC(year, number, 0)).getUTCDate()
  return { from: `${month}-01`, to: `${month}-${String(last).padStart(2, '0')}` }
}

/** The month of a time in UTC, and those before it, newest first. */
export function monthsBefore(nowMs: number, count: number): readonly string[] {
  const now = new Date(nowMs)
  return Array.from({ length: count }, (_, back) =>
    new Date(Date.UTC(now.getUTCFullYear(), now.getUTCMonth() - back, 1)).toISOString().slice(0, 7),
  )
}
