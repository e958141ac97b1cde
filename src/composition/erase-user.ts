import type { EndedAccess } from '../identity/administration/ended-access.ts'
import { beginErasure, closeErasure, type Erasure, openErasures } from '../identity/administration/erasure.ts'
import { eraseNotes } from '../knowledge/entries/erasure/rules.ts'
import { leaveWorkspaces } from '../knowledge/workspaces/member-rules.ts'
import { type Actor, OPERATOR, SERVICE } from '../platform/audit/audit.ts'
import type { Database } from '../platform/database/database.ts'
import type { UserRow } from '../platform/database/tables.ts'

/**
 * Erases a person: ends their access at once, then deletes their private notes in steps. After an interruption
 * `finishErasures` goes on.
 * @param requireMayErase throws when the actor may not erase this user
 * @returns the user's id, and what of their access ended
 * @throws Fault not_found; conflict for the last active administrator; the fault of `requireMayErase`
 */
export async function eraseUser(
  database: Database,
  tenantId: string,
  idOrEmail: string,
  actor: Actor = OPERATOR,
  requireMayErase: (row: UserRow) => void = () => undefined,
): Promise<{ readonly id: string; readonly ended: EndedAccess }> {
  const { erasure, ended } = await database.write(
    (tx) => beginErasure(tx, tenantId, idOrEmail, actor, requireMayErase),
    tenantId,
  )
  await deleteLeftovers(database, erasure, actor)
  return { id: erasure.user_id, ended }
}

/**
 * Goes on with interrupted erasures, and looks once more for notes that the person's last request stored.
 * @param isEnding tells whether to stop before the next step
 */
export async function finishErasures(
  database: Database,
  now: number = Date.now(),
  isEnding: () => boolean = () => false,
): Promise<void> {
  for (const erasure of await openErasures(database.queries)) {
    await deleteLeftovers(database, erasure, SERVICE, isEnding)
    if (isEnding()) return
    await closeErasure(database, erasure, now)
  }
}

async function deleteLeftovers(
  database: Database,
  { tenant_id: tenantId, user_id: userId }: Erasure,
  actor: Actor,
  isEnding: () => boolean = () => false,
): Promise<void> {
  await database.write((tx) => leaveWorkspaces(tx, tenantId, userId), tenantId)
  let isMore = true
  while (isMore && !isEnding()) {
    isMore = await database.write((tx) => eraseNotes(tx, database.portable, tenantId, userId, actor), tenantId)
  }
}
