import { createGate } from './gate.ts'

/**
 * Gate for a session that ends while a person works: requests that the service refused wait until the person has signed
 * in again, and are then sent once more. So no typed text is lost.
 */
const gate = createGate()

export const watchGate = gate.watch

/** Whether requests are waiting for a new sign-in. */
export const isGateShut = gate.isShut

/** Waits until the person has signed in again. @returns false at once when no page is shown that could ask for it */
export const signedInAgain = gate.pass

/** Lets all waiting requests go on. */
export const openGate = gate.open

let identification: Promise<void> = Promise.resolve()

/** Lets requests wait until the page has found out whose session the browser has. */
export function holdRequests(until: Promise<void>): void {
  identification = until
}

/** Waits until the page knows whose session the browser has. */
export const sessionIdentified = (): Promise<void> => identification
