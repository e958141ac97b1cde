import type { Caller } from '../../../platform/access/caller.ts'
import { type AuditEvent, recordAudit } from '../../../platform/audit/audit.ts'
import type { Database, Tx } from '../../../platform/database/database.ts'
import type { PasskeyRow, SessionRow, UserRow } from '../../../platform/database/tables.ts'
import { conflict, Fault, invalid, notFound } from '../../../platform/faults.ts'
import { newId } from '../../../platform/ids.ts'
import type { SecretBox } from '../../../platform/secrets.ts'
import { requireUser } from '../../users/rules.ts'
import type { SessionRules, SignInFacts } from '../rules.ts'
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
/** For so long after signing in, nobody who adds a factor is asked again who they are. */
const FRESH_MS = 600_000
/** Long enough to install an app. */
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

/** A proof that is checked in the transaction of the change it confirms. */
interface Confirmed {
  readonly check: FactorCheck
  /** What the proof itself changed. */
  readonly events: readonly AuditEvent[]
  /** Called when the transaction is committed. */
  readonly settle: () => void
}

/** What a change asks of who makes it. Removing a factor always asks; adding one does not right after signing in. */
type Demand = 'adding' | 'removing'

/** A person's own second factors. */
export class FactorRules {
  readonly #options: FactorRulesOptions

  constructor(options: FactorRulesOptions) {
    this.#options = options
  }

  /** @throws Fault unauthorized unless a person is signed in */
  async list(caller: Caller | null): Promise<Factors> {
    const person = await this.#person(caller)
    const { queries } = this.#options.database
    const [totp, passkeys, codes, hash] = await Promise.all([
      store.findTotp(queries, person),
      store.listPasskeys(queries, person),
      store.countRecoveryCodes(queries, person),
      sessions.passwordHash(queries, person.tenantId, person.userId),
    ])
    return {
      totp: totp?.sealed ? { confirmed_at: new Date(totp.confirmed_at!).toISOString() } : null,
      passkeys: passkeys.map(shown),
      recovery_codes_left: codes,
      has_password: hash !== null,
      required: isRequired(person),
    }
  }

  /**
   * Begins to set up an authenticator app. An app that is there already stays until a code confirms the new one.
   * @throws Fault unauthorized, forbidden, invalid, rate_limited
   */
  async beginTotp(caller: Caller | null, proof: Confirmation, facts: SignInFacts): Promise<TotpSetup> {
    const person = await this.#person(caller)
    const check = await this.#demand(person, proof, facts, 'adding')
    const { secrets, now, ceremonies } = this.#options
    const secret = newTotpSecret()
    const until = now() + SETUP_MS
    await this.#change(person, check, async (tx) => {
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
      // Nothing was guessed, so the codes of a sign-in do not pay for it.
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

  /** @throws Fault not_found without an app; forbidden, invalid, conflict, rate_limited */
  async removeTotp(caller: Caller | null, proof: Confirmation, facts: SignInFacts): Promise<void> {
    const person = await this.#person(caller)
    const check = await this.#demand(person, proof, facts, 'removing')
    await this.#remove(person, check, async (tx) => {
      if (!(await store.deleteTotp(tx, person))) throw notFound(['path'], 'Authenticator app')
      return { action: 'delete', resourceType: 'authenticator_app', resourceId: person.userId }
    })
  }

  /** Makes new recovery codes, which end the earlier ones. @throws Fault conflict without a second factor */
  async renewCodes(caller: Caller | null, proof: Confirmation, facts: SignInFacts): Promise<RecoveryCodes> {
    const person = await this.#person(caller)
    const check = await this.#demand(person, proof, facts, 'removing')
    const codes = newRecoveryCodes()
    await this.#change(person, check, async (tx) => {
      if (!(await store.hasFactor(tx, person))) throw conflict(['path'], 'Set up a second factor first')
      await store.putRecoveryCodes(tx, person, codes.map(hashRecoveryCode))
      return [{ action: 'update', resourceType: 'recovery_codes', resourceId: person.userId }]
    })
    return { recovery_codes: codes }
  }

  /** What the browser needs to make a passkey. @throws Fault conflict when the person has as many as allowed */
  async beginPasskey(caller: Caller | null, proof: Confirmation, facts: SignInFacts): Promise<BrowserOptions> {
    const person = await this.#person(caller)
    const known = await store.listPasskeys(this.#options.database.queries, person)
    requireRoom(known.length)
    const check = await this.#demand(person, proof, facts, 'adding')
    if (check !== null) await this.#change(person, check, () => Promise.resolve([]))
    return this.#options.ceremonies.registration(facts.host, placeOf(person, 'registration'), person.user, known)
  }

  /** @throws Fault invalid, naming the passkey, when the browser's answer is not what was asked for; conflict */
  async addPasskey(
    caller: Caller | null,
    { name, passkey }: PasskeyCreate,
    { host }: SignInFacts,
  ): Promise<PasskeyAdded> {
    const person = await this.#person(caller)
    const made = await this.#options.ceremonies.registered(host, placeOf(person, 'registration'), passkey)
    if (made === null) {
      throw invalid(['body', 'passkey'], 'passkey_refused', 'The passkey was not accepted; begin again')
    }
    const row: PasskeyRow = {
      ...made,
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
    return { passkey: shown(row), recovery_codes: codes }
  }

  /** @throws Fault not_found when the person has no such passkey */
  async renamePasskey(caller: Caller | null, id: string, name: string): Promise<Passkey> {
    const person = await this.#person(caller)
    if (person.caller.lacksSecondFactor === true) throw proofNeeded()
    let renamed: PasskeyRow | null = null
    await this.#change(person, null, async (tx) => {
      renamed = await store.renamePasskey(tx, person, id, name)
      if (renamed === null) throw notFound(['path', 'passkey_id'], 'Passkey')
      return [{ action: 'update', resourceType: 'passkey', resourceId: id }]
    })
    return shown(renamed!)
  }

  /** @throws Fault not_found when the person has no such passkey; forbidden, invalid, conflict, rate_limited */
  async removePasskey(caller: Caller | null, id: string, proof: Confirmation, facts: SignInFacts): Promise<void> {
    const person = await this.#person(caller)
    const check = await this.#demand(person, proof, facts, 'removing')
    await this.#remove(person, check, async (tx) => {
      if (!(await store.deletePasskey(tx, person, id))) throw notFound(['path', 'passkey_id'], 'Passkey')
      return { action: 'delete', resourceType: 'passkey', resourceId: id }
    })
  }

  /** What the browser needs to confirm a change with a passkey. */
  async confirmationOptions(caller: Caller | null, { host }: SignInFacts): Promise<BrowserOptions> {
    const person = await this.#person(caller)
    const known = await store.listPasskeys(this.#options.database.queries, person)
    return this.#options.ceremonies.assertion(host, placeOf(person, 'confirmation'), known)
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
   * Asks who makes a change. In a session that began without the second factor that the person has, only that factor
   * will do: otherwise a password alone, or an account at a provider, could put another one in its place.
   * @returns the check of a factor for the transaction; null when nothing is left to check
   */
  async #demand(person: Person, proof: Confirmation, facts: SignInFacts, demand: Demand): Promise<Confirmed | null> {
    const { database, checks, sessions: rules, now } = this.#options
    const { tenantId, userId, session } = person
    const { password, ...factor } = proof
    const kinds = Object.values(proof).filter((each) => each !== undefined).length
    if (kinds > 1) throw invalid(['body'], 'value_error', 'Send at most one of password, code, recovery_code, passkey')
    const isWhole = session.strength === 'second' || !(await store.hasFactor(database.queries, person))
    if (kinds === 0) {
      if (isWhole && demand === 'adding' && now() - session.created_at < FRESH_MS) return null
      throw proofNeeded()
    }
    if (password !== undefined) {
      if (!isWhole) throw proofNeeded()
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
    const used: AuditEvent = { action: 'delete', resourceType: 'recovery_code', resourceId: userId }
    return { check, events: kind === 'recovery_code' ? [used] : [], settle: forget }
  }

  /** Changes something in one transaction: the session must still be there, and a proof counts with the change. */
  async #change(
    { caller, tenantId, userId, session }: Person,
    confirmed: Confirmed | null,
    work: (tx: Tx) => Promise<readonly AuditEvent[]>,
  ): Promise<void> {
    await this.#options.database.write(async (tx) => {
      const isActive = await sessions.lockUser(tx, tenantId, userId)
      // Ended meanwhile: by another request that added a factor, by a new password or by an administrator.
      const own = isActive ? await sessions.sessionById(tx, tenantId, session.id) : null
      if (own === null) throw signInFirst()
      if (own.strength !== session.strength) throw conflict(['header', 'cookie'], 'The session changed meanwhile')
      await confirmed?.check(tx)
      await recordAudit(tx, tenantId, caller, [...(confirmed?.events ?? []), ...(await work(tx))])
    }, tenantId)
    confirmed?.settle()
  }

  /**
   * Adds a factor. The first one brings recovery codes and ends the person's other sessions, which began without it.
   * @returns the recovery codes; empty unless it is the first factor
   */
  async #add(person: Person, work: (tx: Tx) => Promise<AuditEvent>): Promise<string[]> {
    let codes: string[] = []
    const { tenantId, userId, session } = person
    await this.#change(person, null, async (tx) => {
      const isFirst = !(await store.hasFactor(tx, person))
      // Begun in a session that proved the factor that the person has; another session may not end it.
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

  /** Removes a factor. With the last one the recovery codes go too. @throws Fault conflict when one is required */
  async #remove(person: Person, check: Confirmed | null, work: (tx: Tx) => Promise<AuditEvent>): Promise<void> {
    await this.#change(person, check, async (tx) => {
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

/** Whether the tenant demands a second factor of somebody who signs in as this person did. */
function isRequired({ caller, session }: Person): boolean {
  const { requireSecondFactor } = caller.tenant.settings
  return requireSecondFactor === 'all' || (requireSecondFactor === 'on' && session.strength !== 'provider')
}

function requireRoom(count: number): void {
  if (count >= PASSKEYS_MAX) throw conflict(['path'], `A person has at most ${PASSKEYS_MAX} passkeys; remove one first`)
}

function shown({ id, name, created_at: createdAt, last_used_at: usedAt }: PasskeyRow): Passkey {
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
