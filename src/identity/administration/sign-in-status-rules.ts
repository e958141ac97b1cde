import type { Caller } from '../../platform/access/caller.ts'
import type { Database } from '../../platform/database/database.ts'
import { factorStatus } from '../sessions/factors/factor-status.ts'
import { openSessions, signOutUser } from '../sessions/open-sessions.ts'
import { hasPassword } from '../sessions/set-password.ts'
import { lockUser } from '../sessions/lock-rules.ts'
import { requireManageable } from '../users/bounds.ts'
import { requireUser } from '../users/rules.ts'
import type { UserSession, UserSignIn } from './contract.ts'
import { withRequestPlaces } from './fault-places.ts'

/** Shows administrators how and where users sign in, and ends a user's sessions. */
export class SignInStatus {
  readonly #database: Database
  readonly #now: () => number

  constructor(database: Database, now: () => number = Date.now) {
    this.#database = database
    this.#now = now
  }

  /** Returns how a user can sign in. @throws Fault not_found */
  async read({ tenant: { id: tenantId } }: Caller, userId: string): Promise<UserSignIn> {
    const { queries } = this.#database
    const { id } = await withRequestPlaces(requireUser(queries, tenantId, userId), 'user_id', 'User')
    const [userHasPassword, factors] = await Promise.all([
      hasPassword(queries, tenantId, id),
      factorStatus(queries, { tenantId, userId: id }),
    ])
    return {
      has_password: userHasPassword,
      authenticator_app: factors.hasApp,
      passkeys: factors.passkeys,
      recovery_codes_left: factors.recoveryCodesLeft,
    }
  }

  /** Returns the sessions in which a user is signed in, newest first. @throws Fault not_found */
  async sessions({ tenant: { id: tenantId } }: Caller, userId: string): Promise<UserSession[]> {
    const { queries } = this.#database
    const { id: ownerId } = await withRequestPlaces(requireUser(queries, tenantId, userId), 'user_id', 'User')
    return openSessions(queries, tenantId, ownerId, this.#now())
  }

  /**
   * Signs a user out everywhere.
   * @throws Fault not_found; forbidden for a user who may do more than the caller
   */
  async endSessions(caller: Caller, userId: string): Promise<void> {
    const tenantId = caller.tenant.id
    await this.#database.write(async (tx) => {
      // The lock keeps the role as it is until the transaction ends.
      await lockUser(tx, tenantId, userId)
      const user = await withRequestPlaces(requireUser(tx, tenantId, userId), 'user_id', 'User')
      requireManageable(caller, user)
      await signOutUser(tx, { tenantId, userId: user.id }, this.#now(), caller)
    }, tenantId)
  }
}
