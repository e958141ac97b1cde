import { type Actor, recordAudit } from '../../../platform/audit/audit.ts'
import type { Tx } from '../../../platform/database/database.ts'
import { deleteSessionsOf, lockUser } from '../store.ts'
import * as store from './factor-store.ts'
import type { Holder } from './factor-store.ts'

/**
 * Ends all second factors of a user who lost them: authenticator app, passkeys and recovery codes. It also signs the
 * user out everywhere. The next sign-in tells the user.
 * @returns whether the user had a second factor
 */
export async function resetFactors(tx: Tx, holder: Holder, actor: Actor): Promise<boolean> {
  const { tenantId, userId } = holder
  await lockUser(tx, tenantId, userId)
  const hadApp = await store.deleteTotp(tx, holder)
  const passkeys = await store.deletePasskeys(tx, holder)
  await store.deleteRecoveryCodes(tx, holder)
  if (!hadApp && passkeys === 0) return false
  await store.noteReset(tx, holder, Date.now())
  await deleteSessionsOf(tx, tenantId, userId)
  await recordAudit(tx, tenantId, actor, [{ action: 'delete', resourceType: 'second_factors', resourceId: userId }])
  return true
}
