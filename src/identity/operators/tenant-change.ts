import { type Actor, OPERATOR, recordAudit } from '../../platform/audit/audit.ts'
import type { Database, Tx } from '../../platform/database/database.ts'
import { deleteInvitations } from '../invitations/rules.ts'
import { deleteMailOf } from '../mail/outbox.ts'
import { forgetResetsOf } from '../password-resets/rules.ts'
import { changeTenant } from '../tenants/rules.ts'

/**
 * Changes a tenant as its operator. Another host ends invitations, links for new passwords and waiting mail: whoever
 * answers at the new host would otherwise be handed the secrets in them.
 * @param alsoWrite what else the same transaction writes
 * @throws Fault like `changeTenant`
 */
export async function changeTenantAsOperator(
  database: Database,
  tenantId: string,
  change: Parameters<typeof changeTenant>[2],
  actor: Actor = OPERATOR,
  alsoWrite: (tx: Tx) => Promise<void> = async () => undefined,
): Promise<void> {
  await changeTenant(database, tenantId, change, actor, async (tx, changed) => {
    if (changed.includes('host')) await endLinks(tx, tenantId, actor)
    await alsoWrite(tx)
  })
}

async function endLinks(tx: Tx, tenantId: string, actor: Actor): Promise<void> {
  await forgetResetsOf(tx, tenantId)
  await deleteMailOf(tx, tenantId)
  const ids = await deleteInvitations(tx, tenantId)
  const events = ids.map((id) => ({ action: 'delete', resourceType: 'invitation', resourceId: id }) as const)
  await recordAudit(tx, tenantId, actor, events)
}
