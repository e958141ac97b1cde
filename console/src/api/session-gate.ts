import { createGate } from './gate.ts'

/**
 * What happens when the session ends while somebody works: the requests that the service refused wait until the person
 * has signed in again, and are then sent once more. So nothing that was typed is lost.
 */
const gate = createGate()

export const watchGate = gate.watch

/** Whether requests are waiting for a new sign-in. */
export const isGateShut = gate.isShut

/**
 * Waits until the person has signed in again.
 * @returns false at once when no page is shown that could ask for it
 */
export const signedInAgain = gate.pass

/** Lets all waiting requests go on. */
export const openGate = gate.open

let asked: Promise<void> = Promise.resolve()

/** Lets requests wait while somebody finds out whose session the browser has by now. */
export function holdRequests(until: Promise<void>): void {
  asked = until
}

/** Waits as long as it is not known whose session the browser has. */
export const sessionKnown = (): Promise<void> => asked
