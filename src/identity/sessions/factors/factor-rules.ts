import type { Caller } from '../../../platform/access/caller.ts'
import { type AuditEvent, recordAudit } from '../../../platform/audit/audit.ts'
import type { Database, Tx } from '../../../platform/database/database.ts'
import type { PasskeyRow } from '../../../platform/database/tables.ts'
import { conflict, invalid, notFound } from '../../../platform/faults.ts'
import { newId } from '../../../platform/ids.ts'
import type { SecretBox } from '../../../platform/secrets.ts'
import type { SignInFacts } from '../rules.ts'
import { hasPassword } from '../set-password.ts'
import * as sessions from '../store.ts'
import {
  confirmationPlace,
  type Confirmations,
  type FactorConfirmation,
  type Person,
  proofNeeded,
} from './confirmations.ts'
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
import * as store from './factor-store.ts'
import type { FactorThrottle } from './factor-throttle.ts'
import type { BrowserOptions, PasskeyCeremonies, Place } from './passkey-ceremonies.ts'
import { hashRecoveryCode, newRecoveryCodes } from './recovery-codes.ts'
import { openTotp, sealTotp } from './sealed-totp.ts'
import { newTotpSecret, stepOfCode, totpUri } from './totp.ts'

const PASSKEYS_MAX = 20
/** Time in which a code must confirm a new app: long enough to install one. */
const SETUP_MS = 1_800_000

export interface FactorRulesOptions {
  readonly database: Database
  readonly secrets: SecretBox
  readonly confirmations: Confirmations
  readonly ceremonies: PasskeyCeremonies
  readonly throttle: FactorThrottle
  readonly now: () => number
}

/** Lists, adds and removes a person's own second factors. */
export class FactorRules {
  readonly #options: FactorRulesOptions

  constructor(options: FactorRulesOptions) {
    this.#options = options
  }

  /** Returns the person's second factors. @throws Fault unauthorized unless a person is signed in */
  async list(caller: Caller | null): Promise<Factors> {
    const person = await this.#options.confirmations.person(caller)
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
    const person = await this.#options.confirmations.person(caller)
    const confirmation = await this.#options.confirmations.demand(person, proof, facts, 'giving')
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
    const person = await this.#options.confirmations.person(caller)
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
    const person = await this.#options.confirmations.person(caller)
    const confirmation = await this.#options.confirmations.demand(person, proof, facts, 'removing')
    await this.#remove(person, confirmation, async (tx) => {
      if (!(await store.deleteTotp(tx, person))) throw notFound(['path'], 'Authenticator app')
      return { action: 'delete', resourceType: 'authenticator_app', resourceId: person.userId }
    })
  }

  /** Makes new recovery codes, which end the earlier ones. @throws Fault conflict without a second factor */
  async renewCodes(caller: Caller | null, proof: Confirmation, facts: SignInFacts): Promise<RecoveryCodes> {
    const person = await this.#options.confirmations.person(caller)
    const confirmation = await this.#options.confirmations.demand(person, proof, facts, 'removing')
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
    const person = await this.#options.confirmations.person(caller)
    const passkeys = await store.listPasskeys(this.#options.database.queries, person)
    requireRoom(passkeys.length)
    const confirmation = await this.#options.confirmations.demand(person, proof, facts, 'giving')
    if (confirmation !== null) await this.#change(person, confirmation, () => Promise.resolve([]))
    return this.#options.ceremonies.registration(facts.host, registrationPlace(person), person.user, passkeys)
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
    const person = await this.#options.confirmations.person(caller)
    const credential = await this.#options.ceremonies.checkRegistration(host, registrationPlace(person), passkey)
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
    const person = await this.#options.confirmations.person(caller)
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
    const person = await this.#options.confirmations.person(caller)
    const confirmation = await this.#options.confirmations.demand(person, proof, facts, 'removing')
    await this.#remove(person, confirmation, async (tx) => {
      if (!(await store.deletePasskey(tx, person, id))) throw notFound(['path', 'passkey_id'], 'Passkey')
      return { action: 'delete', resourceType: 'passkey', resourceId: id }
    })
  }

  /** Returns the browser's options to confirm a change with a passkey. */
  async confirmationOptions(caller: Caller | null, { host }: SignInFacts): Promise<BrowserOptions> {
    const person = await this.#options.confirmations.person(caller)
    const passkeys = await store.listPasskeys(this.#options.database.queries, person)
    return this.#options.ceremonies.assertion(host, confirmationPlace(person), passkeys)
  }

  /**
   * Makes a change and checks its proof in one transaction.
   * @param confirmation null for a change that needs no proof of a factor
   * @param work makes the change and returns its audit events
   * @throws Fault unauthorized when the session has ended, conflict when it changed meanwhile
   */
  async #change(
    person: Person,
    confirmation: FactorConfirmation | null,
    work: (tx: Tx) => Promise<readonly AuditEvent[]>,
  ): Promise<void> {
    const { database, confirmations } = this.#options
    const { caller, tenantId } = person
    await database.write(async (tx) => {
      await confirmations.requireUnchanged(tx, person)
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

function registrationPlace({ tenantId, session }: Person): Place {
  return { tenantId, purpose: 'registration', boundTo: session.id }
}
