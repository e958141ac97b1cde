import type { Caller } from '../../platform/access/caller.ts'
import { covers } from '../../platform/access/user-scopes.ts'
import type { Database } from '../../platform/database/database.ts'
import { forbidden, notFound } from '../../platform/faults.ts'
import { isCallerOrIssuer } from '../api-keys/caller-or-issuer.ts'
import { requireLasting } from '../api-keys/lasting.ts'
import { resetFactors } from '../sessions/factors/reset-factors.ts'
import { lockedUser } from '../sessions/lock-rules.ts'

/** Ends the second factors of people who lost them. */
export class FactorResets {
  readonly #database: Database

  constructor(database: Database) {
    this.#database = database
  }

  /**
   * Ends a user's second factors and sessions.
   * @throws Fault not_found for an unknown user; forbidden for a credential that ends, for a user with rights that the
   *   caller lacks, and for the caller's own user, also by a key that this user issued: a stolen session alone must not
   *   remove the factor that the person would have to prove
   */
  async reset(caller: Caller, userId: string): Promise<void> {
    const tenantId = caller.tenant.id
    const place = ['path', 'user_id']
    await this.#database.write(async (tx) => {
      await requireLasting(tx, caller)
      // The lock keeps the role as it is until the transaction ends.
      const user = await lockedUser(tx, tenantId, userId)
      if (user === null) throw notFound(place, 'User')
      if (await isCallerOrIssuer(tx, caller, userId))
        throw forbidden(place, 'Remove your own second factors in your profile')
      if (!covers(caller.scopes, user)) {
        throw forbidden(place, 'The user has rights that you do not have')
      }
      await resetFactors(tx, { tenantId, userId: user.id }, caller)
    }, tenantId)
  }
}
