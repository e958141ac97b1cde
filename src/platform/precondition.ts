import type { Caller } from './access/caller.ts'
import type { Scope } from './access/scopes.ts'
import { Fault, forbidden } from './faults.ts'

/**
 * Tells whether a write is meant for the present state of an object, such as the version that its caller has read; null
 * for a write that is meant for any state.
 */
export type Expected<State> = ((state: State) => boolean) | null

/** Expects that there is an object, in whatever state; to a write that may create, null is the state of none. */
export const EXPECT_ANY = (state: unknown): boolean => state !== null

const PLACE = ['header', 'if-match']

/**
 * Refuses a write that is meant for another state than the present one.
 * @param msg how the present state differs, in callers' words
 * @throws Fault precondition_failed
 */
export function requireExpected<State>(state: State, expected: Expected<State>, msg: string): void {
  if (expected === null || expected(state)) return
  throw new Fault('precondition_failed', [{ loc: PLACE, msg, type: 'precondition_failed' }])
}

/**
 * Refuses an expected state of a caller who may not read. With it the caller could guess what is stored, and the answer
 * would say whether the guess is right.
 * @param scope lets a caller read the object
 * @throws Fault forbidden
 */
export function requireMayExpect({ scopes }: Caller, expected: Expected<never>, scope: Scope = 'knowledge:read'): void {
  if (expected === null || expected === EXPECT_ANY || scopes.has(scope)) return
  throw forbidden(PLACE, `Comparing the version needs ${scope}`, [scope])
}
