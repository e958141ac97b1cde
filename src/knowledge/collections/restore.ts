import { isDeepStrictEqual } from 'node:util'
import { OPERATOR, recordAudit } from '../../platform/audit/audit.ts'
import type { Tx } from '../../platform/database/database.ts'
import type { NamedRow } from '../../platform/database/tables.ts'
import { conflict } from '../../platform/faults.ts'
import type { Collection } from './contract.ts'
import * as store from './store.ts'

/**
 * Restores a project or workspace of an export, without its members.
 * @throws Fault when another project or workspace has the id
 */
export async function restoreCollection(
  tx: Tx,
  tenantId: string,
  table: store.CollectionTable,
  collection: Omit<Collection, 'tenant_id'>,
): Promise<'created' | 'unchanged'> {
  const resourceType = table === 'projects' ? 'project' : 'workspace'
  const row: NamedRow = {
    tenant_id: tenantId,
    id: collection.id,
    name: collection.name,
    description: collection.description,
    created_at: Date.parse(collection.created_at),
    updated_at: Date.parse(collection.updated_at),
  }
  const stored = await store.findCollection(tx, table, tenantId, row.id)
  if (stored !== null) {
    if (isDeepStrictEqual({ ...stored }, row)) return 'unchanged'
    throw conflict(['body', 'id'], `Another ${resourceType} here has this id. It stays unchanged`)
  }
  await store.insertCollection(tx, table, row)
  await recordAudit(tx, tenantId, OPERATOR, [{ action: 'create', resourceType, resourceId: row.id }])
  return 'created'
}
