import type { TenantUsageRow, UsageDayRow } from '../../platform/database/tables.ts'

/** What a tenant used in some time; of the memory of its indexes the most. */
export type Use = Readonly<Omit<UsageDayRow, 'tenant_id' | 'day'>>

/** The figures of a tenant over some days. */
export interface UsageFigures {
  readonly tenantId: string
  readonly name: string
  /** The figures of the last count; null before the first. */
  readonly counted: TenantUsageRow | null
  readonly use: Use
}

/** The first and the last day of figures, both included, such as 2027-02-19, in UTC. */
export interface UsageDays {
  readonly from: string
  readonly to: string
}
