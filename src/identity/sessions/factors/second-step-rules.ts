import type { Database } from '../../../platform/database/database.ts'
import type { ProviderOrigin } from '../../../platform/database/tables.ts'
import { Fault, unauthorized } from '../../../platform/faults.ts'
import { hashSecret, newSecret } from '../../../platform/random-secret.ts'
import { TokenBuckets } from '../../../platform/throttling/token-buckets.ts'
import { NO_TENANT } from '../../tenants/realm.ts'
import { requireTenant } from '../../tenants/rules.ts'
import { tenantSuspended } from '../../tenants/suspended.ts'
import { findUser } from '../../users/rules.ts'
import type { NewSession, SessionRules, SignInFacts } from '../rules.ts'
import { openSession } from '../session-opener.ts'
import { sessionOf } from '../session-answer.ts'
import { passwordChangedAt } from '../store.ts'
import type { FactorProof, SecondStep } from './contract.ts'
import { type FactorChecks, kindOf } from './factor-checks.ts'
import * as factors from './factor-store.ts'
import type { Holder } from './factor-store.ts'
import type { FactorThrottle } from './factor-throttle.ts'
import type { BrowserOptions, PasskeyAnswer, PasskeyCeremonies, Place } from './passkey-ceremonies.ts'
import * as store from './step-store.ts'
import type { WaitingStep } from './step-store.ts'

/** Wrong tries after which the sign-in begins again with the password. */
const FAILURES_MAX = 5
/** Limit for one address: each sign-in by passkey stores a challenge. */
const PER_ADDRESS = { capacity: 60, intervalMs: 3_000 }

export interface SecondStepOptions {
  readonly database: Database
  readonly sessions: SessionRules
  readonly checks: FactorChecks
  readonly ceremonies: PasskeyCeremonies
  readonly throttle: FactorThrottle
  readonly now: () => number
}

/** Challenge for a browser: its options, and the secret that the browser keeps until it answers. */
export interface BrowserChallenge {
  readonly options: BrowserOptions
  readonly secret: string
}

/** Runs the second step of a sign-in, and the sign-in by passkey, which needs no first step. */
export class SecondStepRules {
  readonly #options: SecondStepOptions
  readonly #perAddress = new TokenBuckets(PER_ADDRESS.capacity, PER_ADDRESS.intervalMs)

  constructor(options: SecondStepOptions) {
    this.#options = options
  }

  /**
   * Returns the proofs that the person may finish the second step with.
   * @param secret of the browser's cookie; null without one
   * @throws Fault unauthorized when no sign-in waits in this browser
   */
  async state(secret: string | null, { host }: SignInFacts): Promise<SecondStep> {
    const { step } = await this.#waiting(secret, host)
    return stepOf(this.#options.database, holderOf(step), step.expires_at)
  }

  /** Returns the browser's options to use a passkey in the second step. @throws Fault unauthorized like `state` */
  async passkeyOptions(secret: string | null, { host }: SignInFacts): Promise<BrowserOptions> {
    const { step } = await this.#waiting(secret, host)
    const passkeys = await factors.listPasskeys(this.#options.database.queries, holderOf(step))
    return this.#options.ceremonies.assertion(host, placeOf(step), passkeys)
  }

  /**
   * Finishes a sign-in with its second factor.
   * @throws Fault unauthorized when the proof is wrong, or of type `sign_in_again` when no sign-in waits;
   *   rate_limited; invalid unless there is exactly one proof
   */
  async finish(secret: string | null, proof: FactorProof, facts: SignInFacts): Promise<NewSession> {
    const { host, address } = facts
    const kind = kindOf(proof)
    const waiting = await this.#waiting(secret, host)
    const { step, user, tenant } = waiting
    const holder = holderOf(step)
    const { database, checks, throttle, now, sessions } = this.#options
    const forget = throttle.enter(address, holder, kind)
    const check = await checks.prepare(holder, proof, host, placeOf(step))
    const opened = await openSession(
      database,
      { user },
      now(),
      async (tx) => {
        // A new password ends sign-ins with the old one.
        const changedAt = await passwordChangedAt(tx, holder.tenantId, holder.userId)
        if (step.password_changed_at !== null && changedAt !== step.password_changed_at) return null
        if (!(await check(tx))) {
          await store.countFailure(tx, step, FAILURES_MAX)
          return null
        }
        // A second request with the same cookie finds no step, and the use of its proof is rolled back.
        if (!(await store.takeStep(tx, step))) throw signInAgain()
        if (kind !== 'recovery_code') return []
        return [{ action: 'delete', resourceType: 'recovery_code', resourceId: holder.userId }]
      },
      { strength: 'second', from: facts, seconds: step.session_seconds, origin: originOf(step) },
    )
    if (opened === null) {
      sessions.auditRefusals([waiting])
      throw unauthorized(['body', kind], WRONG[kind])
    }
    forget()
    return { secret: opened.secret, session: sessionOf(waiting, tenant, opened.factorsResetAt) }
  }

  /** Returns a challenge for any passkey that the browser has for this host. @throws Fault rate_limited */
  async begin({ host, address }: SignInFacts): Promise<BrowserChallenge> {
    const { ceremonies, now, sessions } = this.#options
    this.#perAddress.takeOrRefuse(address, now(), { loc: [], msg: 'Too many sign-ins, try again later' })
    const { tenantId } = await sessions.reach(host, null)
    const secret = newSecret()
    return { options: await ceremonies.assertion(host, signInPlace(tenantId, secret), null), secret }
  }

  /**
   * Signs a person in by a passkey that verified them.
   * @param secret of the browser's cookie; null without one
   * @throws Fault unauthorized, with the same message for every fault; rate_limited; forbidden of the type
   *   tenant_suspended
   */
  async signIn(secret: string | null, answer: PasskeyAnswer, facts: SignInFacts): Promise<NewSession> {
    const { host, address } = facts
    const { database, ceremonies, now, sessions } = this.#options
    this.#perAddress.takeOrRefuse(address, now(), { loc: [], msg: 'Too many sign-ins, try again later' })
    if (secret === null || typeof answer.id !== 'string') throw unknownPasskey()
    const reach = await sessions.reach(host, null)
    const candidates = await factors.passkeysByCredential(database.queries, reach, answer.id)
    const place = signInPlace(reach.tenantId, secret)
    const assertion = await ceremonies.checkAssertion(host, place, answer, candidates, true)
    if (assertion === null) throw unknownPasskey()
    const { passkey, counter } = assertion
    const user = await findUser(database.queries, passkey.tenant_id, passkey.user_id)
    const tenant = await requireTenant(database.queries, passkey.tenant_id)
    if (user === null) throw unknownPasskey()
    if (tenant.suspended_at !== null) throw tenantSuspended(['body'])
    const use = async (tx: Parameters<typeof factors.usePasskey>[0]) =>
      (await factors.usePasskey(tx, passkey, counter, now())) ? [] : null
    const opened = await openSession(database, { user }, now(), use, { strength: 'second', from: facts })
    if (opened === null) throw unknownPasskey()
    return { secret: opened.secret, session: sessionOf({ user }, tenant, opened.factorsResetAt) }
  }

  async #waiting(secret: string | null, host: string): Promise<WaitingStep> {
    const { database, now, sessions } = this.#options
    const waiting = secret === null ? null : await store.findStep(database.queries, hashSecret(secret), now())
    if (waiting === null) throw signInAgain()
    const { tenantId } = await sessions.reach(host, null)
    const isHere = tenantId === null ? waiting.host === null : waiting.step.tenant_id === tenantId
    if (!isHere) throw signInAgain()
    return waiting
  }
}

/** Returns the proofs that a user may finish the second step with. @param expiresAt in milliseconds since 1970 */
export async function stepOf({ queries }: Database, holder: Holder, expiresAt: number): Promise<SecondStep> {
  const [totp, passkeys, codes] = await Promise.all([
    factors.findTotp(queries, holder),
    factors.listPasskeys(queries, holder),
    factors.countRecoveryCodes(queries, holder),
  ])
  const methods: SecondStep['methods'] = []
  if (totp?.sealed) methods.push('code')
  if (passkeys.length > 0) methods.push('passkey')
  if (codes > 0) methods.push('recovery_code')
  return { methods, expires_at: new Date(expiresAt).toISOString() }
}

const WRONG = {
  code: 'Wrong code, or it was used already',
  recovery_code: 'Wrong recovery code, or it was used already',
  passkey: 'The passkey was not accepted',
} as const

function holderOf({
  tenant_id: tenantId,
  user_id: userId,
}: Pick<WaitingStep['step'], 'tenant_id' | 'user_id'>): Holder {
  return { tenantId, userId }
}

function originOf(step: WaitingStep['step']): ProviderOrigin {
  const { provider_issuer, provider_subject, provider_sid, provider_id_token } = step
  return { provider_issuer, provider_subject, provider_sid, provider_id_token }
}

function placeOf(step: WaitingStep['step']): Place {
  return { tenantId: step.tenant_id, purpose: 'second step', boundTo: step.hash }
}

function signInPlace(tenantId: string | null, secret: string): Place {
  return { tenantId: tenantId ?? NO_TENANT, purpose: 'sign-in', boundTo: hashSecret(secret) }
}

function signInAgain(): Fault {
  const detail = {
    loc: ['header', 'cookie'],
    msg: 'No sign-in waits for a second step; begin again',
    type: 'sign_in_again',
  }
  return new Fault('unauthorized', [detail])
}

function unknownPasskey(): Fault {
  return unauthorized(['body', 'passkey'], 'The passkey is not known here; sign in another way')
}
