import type { TenantRow } from '../../platform/database/tables.ts'

/** State in the life of a tenant, by the times in its row. */
export type TenantState = 'active' | 'suspended' | 'removal_planned' | 'removing'

export function stateOf({
  suspended_at: since,
  remove_at: at,
  removing_at: began,
}: Pick<TenantRow, 'suspended_at' | 'remove_at' | 'removing_at'>): TenantState {
  if (since === null) return 'active'
  return at === null ? 'suspended' : began === null ? 'removal_planned' : 'removing'
}
