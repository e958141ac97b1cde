import { everyTenant } from '../../identity/tenants/list-rules.ts'
import { requireTenant } from '../../identity/tenants/rules.ts'
import type { Queries } from '../../platform/database/database.ts'
import type { TenantRow } from '../../platform/database/tables.ts'
import { type Option, TENANT_OPTION } from './arguments.ts'
import { UsageError } from './failure.ts'

/** The options of commands that work on one tenant or on all. */
export const TENANTS_OPTIONS = {
  ...TENANT_OPTION,
  all: { type: 'boolean', help: 'all tenants' },
} as const satisfies Record<string, Option>

/** Values of `TENANTS_OPTIONS`. */
interface Choice {
  readonly tenant?: string
  readonly all?: boolean
}

/** @throws UsageError when the options name one tenant and all tenants */
export function refuseBoth({ tenant, all }: Choice): void {
  if (all === true && tenant !== undefined) throw new UsageError('Give --tenant or --all, not both')
}

/** Returns the tenants to work on: all, the named one, or `default`. */
export async function chosenTenants(queries: Queries, { tenant, all }: Choice): Promise<TenantRow[]> {
  return all === true ? everyTenant(queries) : [await requireTenant(queries, tenant ?? 'default')]
}
