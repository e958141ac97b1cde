import { ApiFault } from './client.ts'
import type { Proof } from './factors.ts'

/** What a change that takes a proof does; the dialog says it before the person proves anything. */
export type Act =
  | { readonly kind: 'administrator' | 'wider' | 'enabled' | 'invitedAgain' | 'rules' | 'fewerFactors' }
  /** @param name of the person or application, as people know it */
  | { readonly kind: 'invited' | 'password' | 'factors' | 'application'; readonly name: string }

/** A change that waits for the person's proof. */
export interface WaitingChange {
  /** Tells it from others: each is asked for in a dialog of its own. */
  readonly id: number
  readonly act: Act
  /** Makes the change with the proof. @throws ApiFault when another proof is to be given */
  readonly prove: (proof: Proof) => Promise<void>
  readonly cancel: () => void
}

/** Changes in the order in which the service asked for a proof of them. A code proves one change alone. */
let waiting: readonly WaitingChange[] = []
let asked = 0
const listeners = new Set<() => void>()

function setWaiting(changes: readonly WaitingChange[]): void {
  waiting = changes
  for (const tell of listeners) tell()
}

/** The change whose proof is asked for, for `useSyncExternalStore`; `ProofHost` asks for it, one after the other. */
export const waitingChange = {
  subscribe: (tell: () => void): (() => void) => {
    listeners.add(tell)
    return () => listeners.delete(tell)
  },
  read: (): WaitingChange | null => waiting[0] ?? null,
}

/**
 * Makes a change, and asks the person for a proof where the service wants one. Changes that wait at the same time are
 * asked for in turn.
 * @param act what the change does where the service wants a proof; it may do more than that
 * @param send makes the change, at first without a proof
 * @throws ApiFault of the type proof_needed when the person gives none
 */
export async function proved<T>(act: Act, send: (confirmation: Proof | undefined) => Promise<T>): Promise<T> {
  try {
    return await send(undefined)
  } catch (error) {
    if (!(error instanceof ApiFault && error.is('proof_needed')) || listeners.size === 0) throw error
    return new Promise<T>((resolve, reject) => {
      const leave = (): void => setWaiting(waiting.filter((each) => each !== change))
      const change: WaitingChange = {
        id: ++asked,
        act,
        prove: async (proof) => {
          try {
            resolve(await send(proof))
          } catch (failure) {
            if (isOfProof(failure)) throw failure
            reject(failure)
          }
          leave()
        },
        cancel: () => {
          leave()
          reject(error)
        },
      }
      setWaiting([...waiting, change])
    })
  }
}

/** Tells whether the service refused the proof, and not the change. */
const isOfProof = (failure: unknown): boolean =>
  failure instanceof ApiFault && (failure.status === 429 || failure.is('proof_wrong') || failure.is('proof_needed'))
