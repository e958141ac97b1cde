import { ApiFault } from './client.ts'
import type { Proof } from './factors.ts'

/** A change that waits for the person's proof. */
export interface WaitingChange {
  /** Makes the change with the proof. @throws ApiFault when another proof is to be given */
  readonly prove: (proof: Proof) => Promise<void>
  readonly cancel: () => void
}

let waiting: WaitingChange | null = null
const listeners = new Set<() => void>()

function wait(change: WaitingChange | null): void {
  waiting = change
  for (const tell of listeners) tell()
}

/** The change that waits for a proof, for `useSyncExternalStore`; `ProofHost` asks for the proof. */
export const waitingChange = {
  subscribe: (tell: () => void): (() => void) => {
    listeners.add(tell)
    return () => listeners.delete(tell)
  },
  read: (): WaitingChange | null => waiting,
}

/**
 * Makes a change, and asks the person for a proof where the service wants one.
 * @param send makes the change, at first without a proof
 * @throws ApiFault of the type proof_needed when the person gives none
 */
export async function proved<T>(send: (confirmation: Proof | undefined) => Promise<T>): Promise<T> {
  try {
    return await send(undefined)
  } catch (error) {
    if (!(error instanceof ApiFault && error.is('proof_needed')) || listeners.size === 0) throw error
    return new Promise<T>((resolve, reject) => {
      const prove = async (proof: Proof): Promise<void> => {
        try {
          resolve(await send(proof))
        } catch (failure) {
          if (isOfProof(failure)) throw failure
          reject(failure)
        }
        wait(null)
      }
      const cancel = (): void => {
        wait(null)
        reject(error)
      }
      wait({ prove, cancel })
    })
  }
}

/** Tells whether the service refused the proof, and not the change. */
const isOfProof = (failure: unknown): boolean =>
  failure instanceof ApiFault && (failure.status === 429 || failure.is('proof_wrong') || failure.is('proof_needed'))
