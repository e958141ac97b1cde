import { type Actor, recordAudit } from '../../platform/audit/audit.ts'
import type { Database, Queries, Tx } from '../../platform/database/database.ts'
import type { Tables, UserRow } from '../../platform/database/tables.ts'
import { endGrantsOf } from '../oauth/authorize/grants.ts'
import { endResetsOf } from '../password-resets/end-rules.ts'
import { forgetSignIn } from '../sessions/forget-rules.ts'
import { lockTenant } from '../tenants/lock-rules.ts'
import { pseudonymise } from '../users/change-rules.ts'
import { requireUser } from '../users/rules.ts'
import { endIssuedAccess, requireOtherAdministrator } from './end-access.ts'
import type { EndedAccess } from './ended-access.ts'
import * as store from './erasure-store.ts'

/** Time after which no request that began before an erasure still runs; until then, one may store another note. */
const LAST_REQUESTS_MS = 15 * 60_000

/** Row of an erasure that has begun and is not complete. */
export type Erasure = Tables['user_erasures']

/**
 * Begins to erase a person within a transaction: ends the person's sessions, factors, grants, keys and links, the keys
 * that the person issued and the clients registered with them, and replaces name and address by a pseudonym. The row stays, since the audit log and entries name its id.
 * @param requireMayErase throws a Fault when the actor may not erase the user
 * @returns the erasure, whose notes are still to be deleted, and what of the person's access ended
 * @throws Fault not_found; conflict for the last active administrator
 */
export async function beginErasure(
  tx: Tx,
  tenantId: string,
  idOrEmail: string,
  actor: Actor,
  requireMayErase: (row: UserRow) => void,
): Promise<{ readonly erasure: Erasure; readonly ended: EndedAccess }> {
  await lockTenant(tx, tenantId)
  const row = await requireUser(tx, tenantId, idOrEmail)
  requireMayErase(row)
  await requireOtherAdministrator(tx, row, null)
  const now = Date.now()
  await pseudonymise(tx, row, now)
  await forgetSignIn(tx, tenantId, row.id)
  await endGrantsOf(tx, tenantId, { userId: row.id }, actor)
  const ended = await endIssuedAccess(tx, tenantId, row.id, actor, { withOwn: true })
  await endResetsOf(tx, tenantId, row.id)
  const erasure = { tenant_id: tenantId, user_id: row.id, begun_at: now }
  await store.insertErasure(tx, erasure)
  await recordAudit(tx, tenantId, actor, [{ action: 'erase', resourceType: 'user', resourceId: row.id }])
  return { erasure, ended }
}

/** Returns the erasures of all tenants that have begun and are not complete, oldest first. */
export function openErasures(db: Queries): Promise<Erasure[]> {
  return store.openErasures(db)
}

/**
 * Completes an erasure whose notes are deleted, once no request that began before it can store another.
 * @param now milliseconds since 1970
 */
export async function closeErasure(database: Database, erasure: Erasure, now: number): Promise<void> {
  if (erasure.begun_at > now - LAST_REQUESTS_MS) return
  await database.write((tx) => store.deleteErasure(tx, erasure), erasure.tenant_id)
}
