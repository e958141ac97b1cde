import type { Caller } from './access/caller.ts'
import { mayReadBack } from './access/read-back.ts'
import { Fault, forbidden } from './faults.ts'

/** Whether the present state, such as a version or what is shown of it, is the one a write is meant for; null: any is. */
export type Expected<State> = ((state: State) => boolean) | null

const PLACE = ['header', 'if-match']

/**
 * Refuses a write that is meant for another state than the present one.
 * @param msg what became of it, in callers' words
 * @throws Fault precondition_failed
 */
export function requireExpected<State>(state: State, expected: Expected<State>, msg: string): void {
  if (expected === null || expected(state)) return
  throw new Fault('precondition_failed', [{ loc: PLACE, msg, type: 'precondition_failed' }])
}

/** @throws Fault forbidden for an expected state of a caller who may not read: the answer would reveal what is stored */
export function requireNoGuess(caller: Caller, expected: Expected<never>): void {
  if (expected === null || mayReadBack(caller)) return
  throw forbidden(PLACE, 'Comparing the version needs knowledge:read', ['knowledge:read'])
}
