import type { Caller } from '../../platform/access/caller.ts'
import { covers } from '../../platform/access/user-scopes.ts'
import type { Database, Queries } from '../../platform/database/database.ts'
import type { UserRow } from '../../platform/database/tables.ts'
import { forbidden, notFound } from '../../platform/faults.ts'
import { isCallerOrIssuer } from '../api-keys/caller-or-issuer.ts'
import { requireLasting } from '../api-keys/lasting.ts'
import type { Confirmations } from '../sessions/factors/confirmations.ts'
import type { Confirmation } from '../sessions/factors/contract.ts'
import { resetFactors } from '../sessions/factors/reset-factors.ts'
import { lockedUser } from '../sessions/lock-rules.ts'
import type { SignInFacts } from '../sessions/rules.ts'
import { findUser } from '../users/rules.ts'

const PLACE = ['path', 'user_id'] as const

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
    const database = this.#database
    const tenantId = caller.tenant.id
    await requireResettable(database.queries, caller, await findUser(database.queries, tenantId, userId))
    await this.#confirmations.giving({ caller, confirmation, facts }, true, (requireProof) =>
      database.write(async (tx) => {
        await requireLasting(tx, caller)
        await requireProof(tx)
        // The lock keeps the role as it is until the transaction ends.
        const { id } = await requireResettable(tx, caller, await lockedUser(tx, tenantId, userId))
        await resetFactors(tx, { tenantId, userId: id }, caller)
      }, tenantId),
    )
  }
}

/** Returns the user if the caller may end their factors. @throws Fault not_found, forbidden */
async function requireResettable(db: Queries, caller: Caller, user: UserRow | null): Promise<UserRow> {
  if (user === null) throw notFound(PLACE, 'User')
  if (await isCallerOrIssuer(db, caller, user.id))
    throw forbidden(PLACE, 'Remove your own second factors in your profile')
  if (!covers(caller.scopes, user)) throw forbidden(PLACE, 'The user has rights that you do not have')
  return user
}
