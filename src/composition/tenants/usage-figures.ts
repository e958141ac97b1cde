import type { TenantUsageRow } from '../../platform/database/tables.ts'

/** The figures of a tenant over some days. */
export interface UsageFigures {
  readonly tenantId: string
  readonly name: string
  /** The figures of the last count; null before the first. */
  readonly counted: TenantUsageRow | null
  readonly searches: number
  readonly tokens: number
}

/** The first and the last day of figures, both included, such as 2027-02-19, in UTC. */
export interface UsageDays {
  readonly from: string
  readonly to: string
}
