import type { Caller } from '../../platform/access/caller.ts'
import type { Database, Queries } from '../../platform/database/database.ts'
import type { UserRow } from '../../platform/database/tables.ts'
import { conflict, type Fault, forbidden, invalid, notFound, unauthorized } from '../../platform/faults.ts'
import { endResetsOf } from '../password-resets/end-rules.ts'
import type { Passwords } from '../sessions/passwords.ts'
import { endSession, openSessions, signOutSelf } from '../sessions/open-sessions.ts'
import type { SessionRules, SignInFacts } from '../sessions/rules.ts'
import { hasPassword, passwordOf, putPassword, requireGoodPassword } from '../sessions/set-password.ts'
import { lockedActiveUser, lockUser } from '../sessions/lock-rules.ts'
import type { WrongProofs } from '../sessions/wrong-proofs.ts'
import { changeDetails } from '../users/change-rules.ts'
import type { PageLanguage } from '../users/contract.ts'
import { findUser } from '../users/rules.ts'
import type { OwnSession, PasswordChange, Profile, ProfileChange } from './contract.ts'

export interface ProfileRulesOptions {
  readonly database: Database
  readonly passwords: Passwords
  readonly sessions: Pick<SessionRules, 'auditRefusals'>
  readonly wrongProofs: WrongProofs
  readonly now?: () => number
}

/** Reads and changes a user's own account. All but reading the profile needs the session of a browser. */
export class ProfileRules {
  readonly #database: Database
  readonly #passwords: Passwords
  readonly #sessions: ProfileRulesOptions['sessions']
  readonly #now: () => number
  readonly #wrongProofs: WrongProofs

  constructor({ database, passwords, sessions, wrongProofs, now = Date.now }: ProfileRulesOptions) {
    this.#database = database
    this.#passwords = passwords
    this.#sessions = sessions
    this.#wrongProofs = wrongProofs
    this.#now = now
  }

  /** Returns the account of the caller. @throws Fault not_found for a credential without a user */
  async read({ tenant, userId }: Caller): Promise<Profile> {
    const user = userId === null ? null : await findUser(this.#database.queries, tenant.id, userId)
    if (user === null) throw notFound(['header', 'authorization'], 'A user of this credential')
    return profileOf(this.#database.queries, user)
  }

  async change(caller: Caller, { name, language }: ProfileChange): Promise<Profile> {
    const { userId } = sessionOf(caller)
    const tenantId = caller.tenant.id
    return this.#database.write(async (tx) => {
      const user = await lockedActiveUser(tx, tenantId, userId)
      if (user === null) throw sessionEnded()
      return profileOf(tx, await changeDetails(tx, user, { name, language }, caller))
    }, tenantId)
  }

  /**
   * Sets another password for a user who knows the old one, and ends the user's other sessions and a link for a new
   * password.
   * @throws Fault invalid naming the field; conflict for a user without a password; rate_limited
   */
  async changePassword(caller: Caller, wish: PasswordChange, { address }: SignInFacts): Promise<void> {
    const { userId, sessionId } = sessionOf(caller)
    const tenantId = caller.tenant.id
    requireGoodPassword(wish.new_password, ['body', 'new_password'])
    const password = await passwordOf(this.#database.queries, tenantId, userId)
    if (password === null)
      throw conflict(['body', 'old_password'], 'You have no password; ask an administrator for a link')
    const forget = this.#wrongProofs.enter({ tenantId, userId })
    const [match] = await this.#passwords.matching(address, wish.old_password, [password], ({ hash }) => hash)
    if (match === undefined) {
      const user = await findUser(this.#database.queries, tenantId, userId)
      this.#sessions.auditRefusals(user === null ? [] : [{ user }])
      throw invalid(['body', 'old_password'], 'value_error', 'This is not your password')
    }
    forget()
    const hash = await this.#passwords.hash(address, wish.new_password)
    await this.#database.write(async (tx) => {
      if (!(await lockUser(tx, tenantId, userId))) throw sessionEnded()
      const present = await passwordOf(tx, tenantId, userId)
      if (present?.changedAt !== password.changedAt)
        throw conflict(['body', 'old_password'], 'The password was changed meanwhile')
      await putPassword(tx, tenantId, userId, hash, caller, sessionId)
      await endResetsOf(tx, tenantId, userId)
    }, tenantId)
  }

  /** Returns the caller's sessions, newest first. */
  async sessions(caller: Caller): Promise<OwnSession[]> {
    const { userId, sessionId } = sessionOf(caller)
    const { queries } = this.#database
    const open = await openSessions(queries, caller.tenant.id, userId, this.#now())
    return open.map(({ id, ...session }) => ({ id, current: id === sessionId, ...session }))
  }

  /** Ends one of the caller's sessions. @throws Fault not_found, also for another user's session */
  async endSession(caller: Caller, id: string): Promise<void> {
    const { userId } = sessionOf(caller)
    const tenantId = caller.tenant.id
    await this.#database.write(async (tx) => {
      if (!(await endSession(tx, { tenantId, userId }, id, this.#now(), caller)))
        throw notFound(['path', 'session_id'], 'Session')
    }, tenantId)
  }

  /** Ends all sessions of the caller, also that of the request. */
  async endSessions(caller: Caller): Promise<void> {
    const { userId, sessionId } = sessionOf(caller)
    const tenantId = caller.tenant.id
    await this.#database.write((tx) => signOutSelf(tx, { tenantId, userId }, sessionId, caller), tenantId)
  }
}

/**
 * Returns the user and session of a caller.
 * @throws Fault forbidden for every credential but a session: a key or an assistant must not act on an account
 */
function sessionOf({ credentialKind, credentialId, userId }: Caller): { userId: string; sessionId: string } {
  if (credentialKind === 'session' && userId !== null && credentialId !== null)
    return { userId, sessionId: credentialId }
  throw forbidden(['header', 'authorization'], 'Only somebody who is signed in in a browser may do this')
}

async function profileOf(db: Queries, { tenant_id: tenantId, id, email, name, role, language }: UserRow) {
  const fields = { id, email, name, role, language: language as PageLanguage | null }
  return { ...fields, has_password: await hasPassword(db, tenantId, id) }
}

function sessionEnded(): Fault {
  return unauthorized(['header', 'authorization'], 'The session has ended; sign in again')
}
