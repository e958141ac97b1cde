import { OPERATOR, recordAudit } from '../../platform/audit/audit.ts'
import type { Tx } from '../../platform/database/database.ts'
import * as store from './store.ts'

/** Settings in the row of a tenant that has set none. */
const NONE = '{}'

/**
 * Gives a tenant that has set nothing the settings of an export, and records it.
 * @param settings the tenant's own and those of the export, both as the JSON of a row
 * @returns the tenant's own settings, which stay; null when the tenant now has those of the export
 */
export async function restoreSettings(
  tx: Tx,
  tenantId: string,
  settings: { readonly own: string; readonly exported: string },
): Promise<string | null> {
  const { own, exported } = settings
  if (own !== NONE) return own
  if (exported !== NONE) {
    await store.updateTenant(tx, tenantId, { settings: exported })
    await recordAudit(tx, tenantId, OPERATOR, [{ action: 'update', resourceType: 'tenant', resourceId: tenantId }])
  }
  return null
}
