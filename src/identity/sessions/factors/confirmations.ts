import type { Caller } from '../../../platform/access/caller.ts'
import { scopesOfUser } from '../../../platform/access/user-scopes.ts'
import { type AuditEvent, recordAudit } from '../../../platform/audit/audit.ts'
import type { Database, Tx } from '../../../platform/database/database.ts'
import type { SessionRow, UserRow } from '../../../platform/database/tables.ts'
import { conflict, Fault, invalid } from '../../../platform/faults.ts'
import { requireUser } from '../../users/rules.ts'
import type { SessionRules, SignInFacts } from '../rules.ts'
import { hasPassword } from '../set-password.ts'
import * as sessions from '../store.ts'
import type { WrongProofs } from '../wrong-proofs.ts'
import type { Confirmation } from './contract.ts'
import type { FactorCheck, FactorChecks, ProofKind } from './factor-checks.ts'
import * as store from './factor-store.ts'
import type { Holder } from './factor-store.ts'
import type { FactorThrottle } from './factor-throttle.ts'
import type { Place } from './passkey-ceremonies.ts'

/** Time after signing in at a provider during which a person without password and factor needs no confirmation. */
const FRESH_MS = 600_000
/** Place of the proof in a request whose body has more than the proof. */
const CONFIRMATION = ['body', 'confirmation'] as const

/** A signed-in person and the session that they act in. */
export interface Person extends Holder {
  readonly caller: Caller
  readonly session: SessionRow
  readonly user: UserRow
}

/** Request for a change that gives access which would outlast a stolen session. */
export interface GivingRequest {
  readonly caller: Caller
  /** Field `confirmation` of the body. */
  readonly confirmation: Confirmation | undefined
  readonly facts: SignInFacts
}

/**
 * Checks the proof of a change in its transaction, and records what the proof used up. A credential that is no session
 * needs none, since it cannot prove a person; `requireLasting` says which ones may give such access.
 * @throws Fault forbidden of the type proof_needed when another change came first and no proof was demanded
 */
export type RequireProof = (tx: Tx) => Promise<void>

/** Proof of a factor that is checked in the transaction of the change that it confirms. */
export interface FactorConfirmation {
  readonly check: FactorCheck
  /** Audit events of what the proof itself changed, such as the recovery code that it used up. */
  readonly events: readonly AuditEvent[]
  /** Takes the try back from the throttle, once the transaction is committed. */
  readonly settle: () => void
}

/**
 * Kind of a change. Removing a factor always needs a proof. Adding one and issuing access that outlasts the session need
 * a proof too, except by a person who has neither password nor factor here and has just signed in at the provider. A
 * factor that a stolen session could add without a proof would be its proof for everything else.
 */
export type Demand = 'giving' | 'removing'

export interface ConfirmationOptions {
  readonly database: Database
  readonly sessions: SessionRules
  readonly checks: FactorChecks
  readonly throttle: FactorThrottle
  readonly wrongProofs: WrongProofs
  readonly now: () => number
}

/**
 * Asks a signed-in person again who they are, before a change that a stolen session must not make (OWASP ASVS 4.0.3,
 * 3.7.1).
 */
export class Confirmations {
  readonly #options: ConfirmationOptions

  constructor(options: ConfirmationOptions) {
    this.#options = options
  }

  /** Returns the person of a session. @throws Fault unauthorized for any other caller, and for none */
  async person(caller: Caller | null): Promise<Person> {
    const isPerson = caller !== null && caller.credentialKind === 'session' && caller.userId !== null
    if (!isPerson) throw signInFirst()
    const { queries } = this.#options.database
    const [tenantId, userId] = [caller.tenant.id, caller.userId]
    const session = await sessions.sessionById(queries, tenantId, caller.credentialId!)
    if (session === null) throw signInFirst()
    return { caller, session, user: await requireUser(queries, tenantId, userId), tenantId, userId }
  }

  /**
   * Demands the proof that a change needs. In a session that began without the person's second factor, only that factor
   * confirms a change: otherwise a password alone, or an account at a provider, could put another factor in its place.
   * @param place of the proof in the request
   * @returns the proof of a factor, for the transaction; null when nothing is left to check
   * @throws Fault forbidden of the type proof_needed, invalid, rate_limited
   */
  async demand(
    person: Person,
    proof: Confirmation,
    facts: SignInFacts,
    demand: Demand,
    place: readonly string[] = ['body'],
  ): Promise<FactorConfirmation | null> {
    const { database, checks, sessions: rules } = this.#options
    const { tenantId, userId, session } = person
    const { password, ...factor } = proof
    const kinds = Object.values(proof).filter((each) => each !== undefined).length
    if (kinds > 1) throw invalid(place, 'value_error', 'Send at most one of password, code, recovery_code, passkey')
    const isHolder = await store.hasFactor(database.queries, person)
    const isFullSignIn = session.strength === 'second' || !isHolder
    if (kinds === 0) {
      if (await this.#needsNone(person, demand, { isHolder, isFullSignIn })) return null
      throw proofNeeded(place)
    }
    const wrong = (field: string): Fault => {
      rules.auditRefusals([person])
      return invalid([...place, field], 'proof_wrong', 'This is wrong, or it was used already')
    }
    if (password !== undefined) {
      if (!isFullSignIn) throw proofNeeded(place)
      const forget = this.#enter(facts.address, person, 'password')
      if (!(await rules.isPasswordOf(tenantId, userId, password, facts.address))) throw wrong('password')
      forget()
      return null
    }
    const kind = factor.code !== undefined ? 'code' : factor.passkey !== undefined ? 'passkey' : 'recovery_code'
    const forget = this.#enter(facts.address, person, kind)
    const holds = await checks.prepare(person, factor, facts.host, confirmationPlace(person))
    const check = async (tx: Tx): Promise<boolean> => {
      if (!(await holds(tx))) throw wrong(kind)
      await sessions.setStrength(tx, tenantId, session.id, 'second')
      return true
    }
    const codeUse: AuditEvent = { action: 'delete', resourceType: 'recovery_code', resourceId: userId }
    return { check, events: kind === 'recovery_code' ? [codeUse] : [], settle: forget }
  }

  /**
   * Makes a change for which a signed-in person proves who they are, since it gives access that would outlast a stolen
   * session: a key that administers the tenant, access as an administrator, the account of another person, or rules by
   * which people come in. A refusal after the proof was demanded uses up a passkey's challenge and a try, so check what
   * the change needs before.
   * @param isGiving whether the change gives such access, as far as is known before its transaction
   * @param change makes the change; its transaction requires the proof if the change gives such access
   * @throws Fault forbidden of the type proof_needed, at `confirmation`; invalid, rate_limited
   */
  async giving<T>(
    { caller, confirmation = {}, facts }: GivingRequest,
    isGiving: boolean,
    change: (requireProof: RequireProof) => Promise<T>,
  ): Promise<T> {
    if (caller.credentialKind !== 'session') return change(() => Promise.resolve())
    if (!isGiving) return change(() => Promise.reject(proofNeeded(CONFIRMATION)))
    const person = await this.person(caller)
    const factor = await this.demand(person, confirmation, facts, 'giving', CONFIRMATION)
    const changed = await change(async (tx) => {
      await this.requireUnchanged(tx, person)
      await factor?.check(tx)
      await recordAudit(tx, person.tenantId, caller, factor?.events ?? [])
    })
    factor?.settle()
    return changed
  }

  /**
   * Locks the person until the transaction ends, and requires the session as it was when the proof was demanded.
   * @throws Fault unauthorized when the session has ended, conflict when it changed meanwhile
   */
  async requireUnchanged(tx: Tx, { tenantId, userId, session }: Person): Promise<void> {
    const isActive = await sessions.lockUser(tx, tenantId, userId)
    const current = isActive ? await sessions.sessionById(tx, tenantId, session.id) : null
    // A request that added a factor, a new password or an administrator may have ended the session meanwhile.
    if (current === null) throw signInFirst()
    if (current.strength !== session.strength) throw conflict(['header', 'cookie'], 'The session changed meanwhile')
  }

  /** Counts a proof like `FactorThrottle`, and by person whatever the address. @throws Fault rate_limited */
  #enter(address: string, person: Person, kind: ProofKind | 'password'): () => void {
    const { throttle, wrongProofs } = this.#options
    const forgetProof = wrongProofs.enter(person)
    try {
      const forget = throttle.enter(address, person, kind)
      return () => {
        forget()
        forgetProof()
      }
    } catch (error) {
      forgetProof()
      throw error
    }
  }

  async #needsNone(
    { tenantId, userId, session }: Person,
    demand: Demand,
    { isHolder, isFullSignIn }: { readonly isHolder: boolean; readonly isFullSignIn: boolean },
  ): Promise<boolean> {
    const { database, now } = this.#options
    if (demand === 'removing' || !isFullSignIn || now() - session.created_at >= FRESH_MS) return false
    return !isHolder && !(await hasPassword(database.queries, tenantId, userId))
  }
}

/** Returns the place of a challenge with which a passkey confirms a change. */
export function confirmationPlace({ tenantId, session }: Person): Place {
  return { tenantId, purpose: 'confirmation', boundTo: session.id }
}

/** Makes the fault of a request that needs a signed-in person. */
function signInFirst(): Fault {
  return new Fault('unauthorized', [{ loc: ['header', 'cookie'], msg: 'Sign in first', type: 'unauthorized' }])
}

/** Tells whether a role and ceiling administer the tenant, which a person gives with a proof alone. */
export function administers(access: Pick<UserRow, 'role' | 'ceiling'>): boolean {
  return scopesOfUser(access).includes('tenant:admin')
}

/** Makes the fault of a change that needs a proof. */
export function proofNeeded(place: readonly string[] = ['body']): Fault {
  const msg = 'Confirm who you are with your password or a second factor; if you have none, sign in again'
  return new Fault('forbidden', [{ loc: [...place], msg, type: 'proof_needed' }])
}
