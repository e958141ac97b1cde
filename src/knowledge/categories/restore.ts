import { isDeepStrictEqual } from 'node:util'
import { OPERATOR, recordAudit } from '../../platform/audit/audit.ts'
import type { Tx } from '../../platform/database/database.ts'
import type { CategoryRow } from '../../platform/database/tables.ts'
import { conflict, referenceNotFound } from '../../platform/faults.ts'
import type { Category } from './contract.ts'
import * as store from './store.ts'

/**
 * Restores a category of an export. Its parent has to exist already.
 * @throws Fault when another category has the id, or the parent does not exist
 */
export async function restoreCategory(
  tx: Tx,
  tenantId: string,
  category: Omit<Category, 'tenant_id'>,
): Promise<'created' | 'unchanged'> {
  const row: CategoryRow = {
    tenant_id: tenantId,
    id: category.id,
    name: category.name,
    description: category.description,
    parent_id: category.parent_id,
    sort_order: category.sort_order,
    created_at: Date.parse(category.created_at),
    updated_at: Date.parse(category.updated_at),
  }
  const stored = await store.findCategory(tx, tenantId, row.id)
  if (stored !== null) {
    if (isDeepStrictEqual({ ...stored }, row)) return 'unchanged'
    throw conflict(['body', 'id'], 'Another category here has this id. It stays unchanged')
  }
  if (row.parent_id !== null && (await store.findCategory(tx, tenantId, row.parent_id)) === null)
    throw referenceNotFound(['body', 'parent_id'], 'Parent category')
  await store.insertCategory(tx, row)
  await recordAudit(tx, tenantId, OPERATOR, [{ action: 'create', resourceType: 'category', resourceId: row.id }])
  return 'created'
}
