import { isDeepStrictEqual } from 'node:util'
import { OPERATOR, recordAudit } from '../../platform/audit/audit.ts'
import type { Tx } from '../../platform/database/database.ts'
import type { UserRow } from '../../platform/database/tables.ts'
import { conflict } from '../../platform/faults.ts'
import * as store from './store.ts'

/**
 * Restores a user of an export. An existing user with the same email address stays as it is, and takes the place
 * of the restored one.
 * @returns the id of the user in this database
 * @throws Fault conflict when the id belongs to another user
 */
export async function restoreUserRow(
  tx: Tx,
  row: UserRow,
): Promise<{ readonly status: 'created' | 'unchanged'; readonly id: string }> {
  const { tenant_id: tenantId, id } = row
  const present = (await store.findUser(tx, tenantId, id)) ?? (await store.findUser(tx, tenantId, row.email))
  if (present !== null) {
    if (present.id === id && !isDeepStrictEqual({ ...present }, row))
      throw conflict(['body', 'id'], 'Another user with this id exists, and was not changed')
    return { status: 'unchanged', id: present.id }
  }
  await store.insertUser(tx, row)
  await recordAudit(tx, tenantId, OPERATOR, [{ action: 'create', resourceType: 'user', resourceId: id }])
  return { status: 'created', id }
}
