import { type Actor, OPERATOR } from '../../platform/audit/audit.ts'
import type { Database, Tx } from '../../platform/database/database.ts'
import { withdrawInvitations } from '../invitations/end-rules.ts'
import { withdrawMail } from '../mail/outbox.ts'
import { endResetsOfTenant } from '../password-resets/end-rules.ts'
import { changeTenant } from '../tenants/rules.ts'

/**
 * Changes a tenant as its operator. A new host ends invitations, links for new passwords and waiting mail. Otherwise
 * the server at the new host would receive the secrets in links that were made for the old one.
 * @param alsoWrite writes more in the same transaction
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
  await endResetsOfTenant(tx, tenantId)
  await withdrawMail(tx, tenantId)
  await withdrawInvitations(tx, tenantId, actor)
}
