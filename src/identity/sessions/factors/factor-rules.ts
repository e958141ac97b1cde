import type { Caller } from '../../../platform/access/caller.ts'
import { type AuditEvent, recordAudit } from '../../../platform/audit/audit.ts'
import type { Database, Tx } from '../../../platform/database/database.ts'
import type { PasskeyRow, SessionRow, UserRow } from '../../../platform/database/tables.ts'
import { conflict, Fault, invalid, notFound } from '../../../platform/faults.ts'
import { newId } from '../../../platform/ids.ts'
import type { SecretBox } from '../../../platform/secrets.ts'
import { requireUser } from '../../users/rules.ts'
import type { SessionRules, SignInFacts } from '../rules.ts'
import { hasPassword } from '../set-password.ts'
import * as sessions from '../store.ts'
import type {
  Confirmation,
  FactorAdded,
  Factors,
  Passkey,
  PasskeyAdded,
  PasskeyCreate,
  RecoveryCodes,
  TotpSetup,
} from './contract.ts'
import type { FactorCheck, FactorChecks } from './factor-checks.ts'
import * as store from './factor-store.ts'
import type { Holder } from './factor-store.ts'
import type { FactorThrottle } from './factor-throttle.ts'
import type { BrowserOptions, PasskeyCeremonies, Place } from './passkey-ceremonies.ts'
import { hashRecoveryCode, newRecoveryCodes } from './recovery-codes.ts'
import { openTotp, sealTotp } from './sealed-totp.ts'
import { newTotpSecret, stepOfCode, totpUri } from './totp.ts'

const PASSKEYS_MAX = 20
/** Time after signing in during which a person adds a factor without confirming who they are. */
const FRESH_MS = 600_000
/** Time in which a code must confirm a new app: long enough to install one. */
const SETUP_MS = 1_800_000

export interface FactorRulesOptions {
  readonly database: Database
  readonly secrets: SecretBox
  readonly sessions: SessionRules
  readonly checks: FactorChecks
  readonly ceremonies: PasskeyCeremonies
  readonly throttle: FactorThrottle
  readonly now: () => number
}

/** A signed-in person and the session that they act in. */
interface Person extends Holder {
  readonly caller: Caller
  readonly session: SessionRow
  readonly user: UserRow
}

/** Proof of a factor that is checked in the transaction of the change that it confirms. */
interface FactorConfirmation {
  readonly check: FactorCheck
  /** Audit events of what the proof itself changed, such as the recovery code that it used up. */
  readonly events: readonly AuditEvent[]
  /** Takes the try back from the throttle, once the transaction is committed. */
  readonly settle: () => void
}

/** Kind of a change. Removing a factor always needs a proof; adding one needs none right after signing in. */
type Demand = 'adding' | 'removing'

/** Lists, adds and removes a person's own second factors. */
export class FactorRules {
  readonly #options: FactorRulesOptions

  constructor(options: FactorRulesOptions) {
    this.#options = options
  }

  /** Returns the person's second factors. @throws Fault unauthorized unless a person is signed in */
  async list(caller: Caller | null): Promise<Factors> {
    const person = await this.#person(caller)
    const { queries } = this.#options.database
    const [totp, passkeys, codes, isByPassword] = await Promise.all([
      store.findTotp(queries, person),
      store.listPasskeys(queries, person),
      store.countRecoveryCodes(queries, person),
      hasPassword(queries, person.tenantId, person.userId),
    ])
    return {
      totp: totp?.sealed ? { confirmed_at: new Date(totp.confirmed_at!).toISOString() } : null,
      passkeys: passkeys.map(passkeyOf),
      recovery_codes_left: codes,
      has_password: isByPassword,
      required: isRequired(person),
    }
  }

  /**
   * Begins to set up an authenticator app. An app that is there already stays until a code confirms the new one.
   * @throws Fault unauthorized, forbidden, invalid, rate_limited
   */
  async beginTotp(caller: Caller | null, proof: Confirmation, facts: SignInFacts): Promise<TotpSetup> {
    const person = await this.#person(caller)
    const confirmation = await this.#demand(person, proof, facts, 'adding')
    const { secrets, now, ceremonies } = this.#options
    const secret = newTotpSecret()
    const until = now() + SETUP_MS
    await this.#change(person, confirmation, async (tx) => {
      await store.putPendingTotp(tx, person, sealTotp(secrets, person, secret), until)
      return []
    })
    const issuer = (await ceremonies.party(facts.host)).id
    return { secret, uri: totpUri(secret, issuer, person.user.email), expires_at: new Date(until).toISOString() }
  }

  /**
   * Sets up the authenticator app that shows this code.
   * @throws Fault invalid, naming the code, when it is wrong or nothing waits for one; conflict when another request
   *   confirmed the app meanwhile
   */
  async confirmTotp(caller: Caller | null, code: string, { address }: SignInFacts): Promise<FactorAdded> {
    const person = await this.#person(caller)
    const forget = this.#options.throttle.enter(address, person, 'code')
    const { database, secrets, now } = this.#options
    const row = await store.findTotp(database.queries, person)
    const isWaiting = row !== null && (row.pending_until ?? 0) > now()
    const secret = isWaiting ? openTotp(secrets, person, row.pending_sealed) : null
    if (secret === null) {
      // No code was guessed, so this try does not count against the codes of a sign-in.
      forget()
      throw invalid(['body', 'code'], 'not_begun', 'Nothing waits for a code; begin again')
    }
    const step = stepOfCode(secret, code, now())
    if (step === null) throw invalid(['body', 'code'], 'code_wrong', 'The code is wrong; check the clock of the device')
    const codes = await this.#add(person, async (tx) => {
      if (!(await store.confirmTotp(tx, person, row!.pending_sealed!, step, now()))) {
        throw conflict(['body', 'code'], 'The app was confirmed or begun anew meanwhile')
      }
      return { action: 'create', resourceType: 'authenticator_app', resourceId: person.userId }
    })
    forget()
    return { recovery_codes: codes }
  }

  /** Removes the authenticator app. @throws Fault not_found without one; forbidden, invalid, conflict, rate_limited */
  async removeTotp(caller: Caller | null, proof: Confirmation, facts: SignInFacts): Promise<void> {
    const person = await this.#person(caller)
    const confirmation = await this.#demand(person, proof, facts, 'removing')
    await this.#remove(person, confirmation, async (tx) => {
      if (!(await store.deleteTotp(tx, person))) throw notFound(['path'], 'Authenticator app')
      return { action: 'delete', resourceType: 'authenticator_app', resourceId: person.userId }
    })
  }

  /** Makes new recovery codes, which end the earlier ones. @throws Fault conflict without a second factor */
  async renewCodes(caller: Caller | null, proof: Confirmation, facts: SignInFacts): Promise<RecoveryCodes> {
    const person = await this.#person(caller)
    const confirmation = await this.#demand(person, proof, facts, 'removing')
    const codes = newRecoveryCodes()
    await this.#change(person, confirmation, async (tx) => {
      if (!(await store.hasFactor(tx, person))) throw conflict(['path'], 'Set up a second factor first')
      await store.putRecoveryCodes(tx, person, codes.map(hashRecoveryCode))
      return [{ action: 'update', resourceType: 'recovery_codes', resourceId: person.userId }]
    })
    return { recovery_codes: codes }
  }

  /** Returns the browser's options to make a passkey. @throws Fault conflict when the person has as many as allowed */
  async beginPasskey(caller: Caller | null, proof: Confirmation, facts: SignInFacts): Promise<BrowserOptions> {
    const person = await this.#person(caller)
    const passkeys = await store.listPasskeys(this.#options.database.queries, person)
    requireRoom(passkeys.length)
    const confirmation = await this.#demand(person, proof, facts, 'adding')
    if (confirmation !== null) await this.#change(person, confirmation, () => Promise.resolve([]))
    return this.#options.ceremonies.registration(facts.host, placeOf(person, 'registration'), person.user, passkeys)
  }

  /**
   * Registers the passkey that a browser made.
   * @throws Fault invalid, naming the passkey, when the browser did not sign the challenge; conflict when the passkey
   *   is registered already, or the person has as many as allowed
   */
  async addPasskey(
    caller: Caller | null,
    { name, passkey }: PasskeyCreate,
    { host }: SignInFacts,
  ): Promise<PasskeyAdded> {
    const person = await this.#person(caller)
    const credential = await this.#options.ceremonies.checkRegistration(host, placeOf(person, 'registration'), passkey)
    if (credential === null) {
      throw invalid(['body', 'passkey'], 'passkey_refused', 'The passkey was not accepted; begin again')
    }
    const row: PasskeyRow = {
      ...credential,
      tenant_id: person.tenantId,
      user_id: person.userId,
      id: newId(),
      name,
      created_at: this.#options.now(),
      last_used_at: null,
    }
    const codes = await this.#add(person, async (tx) => {
      requireRoom((await store.listPasskeys(tx, person)).length)
      if (!(await store.insertPasskey(tx, row)))
        throw conflict(['body', 'passkey'], 'The passkey is registered already')
      return { action: 'create', resourceType: 'passkey', resourceId: row.id }
    })
    return { passkey: passkeyOf(row), recovery_codes: codes }
  }

  /** Renames a passkey. @throws Fault not_found when the person has no such passkey */
  async renamePasskey(caller: Caller | null, id: string, name: string): Promise<Passkey> {
    const person = await this.#person(caller)
    if (person.caller.lacksSecondFactor === true) throw proofNeeded()
    let row: PasskeyRow | null = null
    await this.#change(person, null, async (tx) => {
      row = await store.renamePasskey(tx, person, id, name)
      if (row === null) throw notFound(['path', 'passkey_id'], 'Passkey')
      return [{ action: 'update', resourceType: 'passkey', resourceId: id }]
    })
    return passkeyOf(row!)
  }

  /**
   * Removes a passkey.
   * @throws Fault not_found when the person has no such passkey; forbidden, invalid, conflict, rate_limited
   */
  async removePasskey(caller: Caller | null, id: string, proof: Confirmation, facts: SignInFacts): Promise<void> {
    const person = await this.#person(caller)
    const confirmation = await this.#demand(person, proof, facts, 'removing')
    await this.#remove(person, confirmation, async (tx) => {
      if (!(await store.deletePasskey(tx, person, id))) throw notFound(['path', 'passkey_id'], 'Passkey')
      return { action: 'delete', resourceType: 'passkey', resourceId: id }
    })
  }

  /** Returns the browser's options to confirm a change with a passkey. */
  async confirmationOptions(caller: Caller | null, { host }: SignInFacts): Promise<BrowserOptions> {
    const person = await this.#person(caller)
    const passkeys = await store.listPasskeys(this.#options.database.queries, person)
    return this.#options.ceremonies.assertion(host, placeOf(person, 'confirmation'), passkeys)
  }

  async #person(caller: Caller | null): Promise<Person> {
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
   * @returns the proof of a factor, for the transaction; null when nothing is left to check
   * @throws Fault forbidden of the type proof_needed, invalid, rate_limited
   */
  async #demand(
    person: Person,
    proof: Confirmation,
    facts: SignInFacts,
    demand: Demand,
  ): Promise<FactorConfirmation | null> {
    const { database, checks, sessions: rules, now } = this.#options
    const { tenantId, userId, session } = person
    const { password, ...factor } = proof
    const kinds = Object.values(proof).filter((each) => each !== undefined).length
    if (kinds > 1) throw invalid(['body'], 'value_error', 'Send at most one of password, code, recovery_code, passkey')
    const isFullSignIn = session.strength === 'second' || !(await store.hasFactor(database.queries, person))
    if (kinds === 0) {
      if (isFullSignIn && demand === 'adding' && now() - session.created_at < FRESH_MS) return null
      throw proofNeeded()
    }
    if (password !== undefined) {
      if (!isFullSignIn) throw proofNeeded()
      const forget = this.#options.throttle.enter(facts.address, person, 'password')
      if (!(await rules.isPasswordOf(tenantId, userId, password, facts.address))) {
        rules.auditRefusals([person])
        throw wrong('password')
      }
      forget()
      return null
    }
    const kind = factor.code !== undefined ? 'code' : factor.passkey !== undefined ? 'passkey' : 'recovery_code'
    const forget = this.#options.throttle.enter(facts.address, person, kind)
    const holds = await checks.prepare(person, factor, facts.host, placeOf(person, 'confirmation'))
    const check = async (tx: Tx): Promise<boolean> => {
      if (!(await holds(tx))) {
        rules.auditRefusals([person])
        throw wrong(kind)
      }
      await sessions.setStrength(tx, tenantId, session.id, 'second')
      return true
    }
    const codeUse: AuditEvent = { action: 'delete', resourceType: 'recovery_code', resourceId: userId }
    return { check, events: kind === 'recovery_code' ? [codeUse] : [], settle: forget }
  }

  /**
   * Makes a change and checks its proof in one transaction.
   * @param confirmation null for a change that needs no proof of a factor
   * @param work makes the change and returns its audit events
   * @throws Fault unauthorized when the session has ended, conflict when it changed meanwhile
   */
  async #change(
    { caller, tenantId, userId, session }: Person,
    confirmation: FactorConfirmation | null,
    work: (tx: Tx) => Promise<readonly AuditEvent[]>,
  ): Promise<void> {
    await this.#options.database.write(async (tx) => {
      const isActive = await sessions.lockUser(tx, tenantId, userId)
      const current = isActive ? await sessions.sessionById(tx, tenantId, session.id) : null
      // A request that added a factor, a new password or an administrator may have ended the session meanwhile.
      if (current === null) throw signInFirst()
      if (current.strength !== session.strength) throw conflict(['header', 'cookie'], 'The session changed meanwhile')
      await confirmation?.check(tx)
      await recordAudit(tx, tenantId, caller, [...(confirmation?.events ?? []), ...(await work(tx))])
    }, tenantId)
    confirmation?.settle()
  }

  /**
   * Adds a factor. The first one brings recovery codes and ends the person's other sessions, which began without it.
   * @returns the recovery codes; empty unless the factor is the person's first
   */
  async #add(person: Person, work: (tx: Tx) => Promise<AuditEvent>): Promise<string[]> {
    let codes: string[] = []
    const { tenantId, userId, session } = person
    await this.#change(person, null, async (tx) => {
      const isFirst = !(await store.hasFactor(tx, person))
      // Only a session that proved the person's factor may add another one.
      if (!isFirst && session.strength !== 'second') throw proofNeeded()
      const event = await work(tx)
      codes = isFirst ? newRecoveryCodes() : []
      if (!isFirst) return [event]
      await store.putRecoveryCodes(tx, person, codes.map(hashRecoveryCode))
      await sessions.deleteOtherSessionsOf(tx, tenantId, userId, session.id)
      await sessions.setStrength(tx, tenantId, session.id, 'second')
      return [event]
    })
    return codes
  }

  /**
   * Removes a factor. The recovery codes go with the last factor.
   * @throws Fault conflict for the last factor of a person whose tenant demands one
   */
  async #remove(
    person: Person,
    confirmation: FactorConfirmation | null,
    work: (tx: Tx) => Promise<AuditEvent>,
  ): Promise<void> {
    await this.#change(person, confirmation, async (tx) => {
      const event = await work(tx)
      if (await store.hasFactor(tx, person)) return [event]
      if (isRequired(person)) {
        throw conflict(['path'], 'Your organisation demands a second factor: set up another one first')
      }
      await store.deleteRecoveryCodes(tx, person)
      await sessions.weakenSessionsOf(tx, person.tenantId, person.userId)
      return [event]
    })
  }
}

/** Tells whether the tenant demands a second factor of people who sign in as this person did. */
function isRequired({ caller, session }: Person): boolean {
  const { requireSecondFactor } = caller.tenant.settings
  return requireSecondFactor === 'all' || (requireSecondFactor === 'on' && session.strength !== 'provider')
}

function requireRoom(count: number): void {
  if (count >= PASSKEYS_MAX) throw conflict(['path'], `A person has at most ${PASSKEYS_MAX} passkeys; remove one first`)
}

function passkeyOf({ id, name, created_at: createdAt, last_used_at: usedAt }: PasskeyRow): Passkey {
  const lastUsed = usedAt === null ? null : new Date(usedAt).toISOString()
  return { id, name, created_at: new Date(createdAt).toISOString(), last_used_at: lastUsed }
}

function placeOf({ tenantId, session }: Person, purpose: 'registration' | 'confirmation'): Place {
  return { tenantId, purpose, boundTo: session.id }
}

function signInFirst(): Fault {
  return new Fault('unauthorized', [{ loc: ['header', 'cookie'], msg: 'Sign in first', type: 'unauthorized' }])
}

function proofNeeded(): Fault {
  const msg = 'Confirm who you are with your password or a second factor; if you have none, sign in again'
  return new Fault('forbidden', [{ loc: ['body'], msg, type: 'proof_needed' }])
}

function wrong(field: string): Fault {
  return invalid(['body', field], 'proof_wrong', 'This is wrong, or it was used already')
}
