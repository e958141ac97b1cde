import type { Caller } from '../../platform/access/caller.ts'
import { covers } from '../../platform/access/user-scopes.ts'
import type { Database } from '../../platform/database/database.ts'
import { forbidden, notFound } from '../../platform/faults.ts'
import { isCallerOrIssuer } from '../api-keys/caller-or-issuer.ts'
import { requireLasting } from '../api-keys/lasting.ts'
import type { Confirmations } from '../sessions/factors/confirmations.ts'
import type { Confirmation } from '../sessions/factors/contract.ts'
import { resetFactors } from '../sessions/factors/reset-factors.ts'
import { lockedUser } from '../sessions/lock-rules.ts'
import type { SignInFacts } from '../sessions/rules.ts'

/** Ends the second factors of people who lost them. */
export class FactorResets {
  readonly #database: Database
  readonly #confirmations: Confirmations

  constructor(database: Database, confirmations: Confirmations) {
    this.#database = database
    this.#confirmations = confirmations
  }

  /**
   * Ends a user's second factors and sessions. A signed-in person proves again who they are.
   * @throws Fault not_found for an unknown user; forbidden for a credential that ends, for a user with rights that the
   *   caller lacks, and for the caller's own user, also by a key that this user issued: a stolen session alone must not
   *   remove the factor that the person would have to prove; forbidden of type proof_needed
   */
  async reset(
    caller: Caller,
    userId: string,
    confirmation: Confirmation | undefined,
    facts: SignInFacts,
  ): Promise<void> {
    const tenantId = caller.tenant.id
    const place = ['path', 'user_id']
    // No proof ends one's own factors in this way; the transaction refuses it.
    const isOwn = caller.userId === userId
    const proof = isOwn ? null : await this.#confirmations.issuing(caller, confirmation, facts)
    await this.#database.write(async (tx) => {
      await requireLasting(tx, caller)
      await proof?.check(tx)
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
    proof?.settle()
  }
}
