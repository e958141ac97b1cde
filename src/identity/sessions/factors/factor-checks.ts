import type { Database, Tx } from '../../../platform/database/database.ts'
import { invalid } from '../../../platform/faults.ts'
import type { SecretBox } from '../../../platform/secrets.ts'
import type { FactorProof } from './contract.ts'
import type { PasskeyCeremonies, Place } from './passkey-ceremonies.ts'
import * as store from './factor-store.ts'
import type { Holder } from './factor-store.ts'
import { hashRecoveryCode } from './recovery-codes.ts'
import { openTotp } from './sealed-totp.ts'
import { stepOfCode } from './totp.ts'

const KINDS = ['code', 'recovery_code', 'passkey'] as const
export type ProofKind = (typeof KINDS)[number]

/** Tells whether a proof holds. The proof counts once, and only if the transaction is committed. */
export type FactorCheck = (tx: Tx) => Promise<boolean>

export interface FactorCheckOptions {
  readonly database: Database
  readonly secrets: SecretBox
  readonly ceremonies: PasskeyCeremonies
  readonly now: () => number
}

/**
 * Returns the kind of proof that a body has.
 * @throws Fault invalid unless the body has exactly one proof
 */
export function kindOf(proof: FactorProof): ProofKind {
  const sent = KINDS.filter((kind) => proof[kind] !== undefined)
  if (sent.length !== 1) throw invalid(['body'], 'value_error', `Send exactly one of ${KINDS.join(', ')}`)
  return sent[0]
}

/** Checks codes, recovery codes and passkeys. */
export class FactorChecks {
  readonly #options: FactorCheckOptions

  constructor(options: FactorCheckOptions) {
    this.#options = options
  }

  /**
   * Prepares the check of a proof. Slow work happens before the transaction, and uses up the challenge of a passkey;
   * the transaction uses up a code, or counts the use of a passkey.
   * @param host the host that the request came to
   * @param place the challenge that a passkey had to sign
   * @throws Fault invalid unless there is exactly one proof
   */
  async prepare(holder: Holder, proof: FactorProof, host: string, place: Place): Promise<FactorCheck> {
    const kind = kindOf(proof)
    if (kind === 'code') return (tx) => this.#useCode(tx, holder, proof.code!)
    if (kind === 'recovery_code')
      return (tx) => store.useRecoveryCode(tx, holder, hashRecoveryCode(proof.recovery_code!))
    const { database, ceremonies, now } = this.#options
    const passkeys = await store.listPasskeys(database.queries, holder)
    const use = await ceremonies.checkAssertion(host, place, proof.passkey!, passkeys, false)
    if (use === null) return () => Promise.resolve(false)
    return (tx) => store.usePasskey(tx, use.passkey, use.counter, now())
  }

  async #useCode(tx: Tx, holder: Holder, code: string): Promise<boolean> {
    const row = await store.findTotp(tx, holder)
    const secret = openTotp(this.#options.secrets, holder, row?.sealed ?? null)
    const step = secret === null ? null : stepOfCode(secret, code, this.#options.now())
    return step !== null && store.useTotpStep(tx, holder, step)
  }
}
