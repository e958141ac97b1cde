import type { Caller } from '../../platform/access/caller.ts'
import { recordAudit } from '../../platform/audit/audit.ts'
import type { Database } from '../../platform/database/database.ts'
import { factorStatus } from '../sessions/factors/factor-status.ts'
import { deleteSessionsOf, listSessions, lockUser, passwordOf } from '../sessions/rules.ts'
import { requireManageable } from '../users/bounds.ts'
import { requireUser } from '../users/rules.ts'
import type { UserSession, UserSignIn } from './contract.ts'
import { inRequest } from './fault-places.ts'

/** More than anybody has open; the list is for people to look through. */
const SESSIONS_SHOWN_MAX = 1_000

/** What administrators see of how users sign in, and ending a user's sessions. */
export class SignInStatus {
  readonly #database: Database
  readonly #now: () => number

  constructor(database: Database, now: () => number = Date.now) {
    this.#database = database
    this.#now = now
  }

  /** What a user can sign in with. @throws Fault not_found */
  async read({ tenant: { id: tenantId } }: Caller, userId: string): Promise<UserSignIn> {
    const { queries } = this.#database
    const { id } = await inRequest(requireUser(queries, tenantId, userId), 'user_id', 'User')
    const [password, factors] = await Promise.all([
      passwordOf(queries, tenantId, id),
      factorStatus(queries, { tenantId, userId: id }),
    ])
    return {
      has_password: password !== null,
      authenticator_app: factors.hasApp,
      passkeys: factors.passkeys,
      recovery_codes_left: factors.recoveryCodesLeft,
    }
  }

  /** Where a user is signed in, newest first. @throws Fault not_found */
  async sessions({ tenant: { id: tenantId } }: Caller, userId: string): Promise<UserSession[]> {
    const { queries } = this.#database
    const { id: ownerId } = await inRequest(requireUser(queries, tenantId, userId), 'user_id', 'User')
    const rows = await listSessions(queries, tenantId, ownerId, this.#now(), SESSIONS_SHOWN_MAX)
    return rows.map(({ id, created_at: createdAt, expires_at: expiresAt, address, browser }) => ({
      id,
      created_at: new Date(createdAt).toISOString(),
      expires_at: new Date(expiresAt).toISOString(),
      address,
      browser,
    }))
  }

  /**
   * Signs a user out everywhere.
   * @throws Fault not_found; forbidden for a user who may do more than the caller
   */
  async endSessions(caller: Caller, userId: string): Promise<void> {
    const tenantId = caller.tenant.id
    await this.#database.write(async (tx) => {
      // The lock keeps the role as it is until the end.
      await lockUser(tx, tenantId, userId)
      const user = await inRequest(requireUser(tx, tenantId, userId), 'user_id', 'User')
      requireManageable(caller, user)
      const open = await listSessions(tx, tenantId, user.id, this.#now(), SESSIONS_SHOWN_MAX)
      await deleteSessionsOf(tx, tenantId, user.id)
      const events = open.map(({ id }) => ({ action: 'sign_out', resourceType: 'session', resourceId: id }) as const)
      await recordAudit(tx, tenantId, caller, events)
    }, tenantId)
  }
}
