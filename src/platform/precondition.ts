import type { Caller } from './access/caller.ts'
import type { Scope } from './access/scopes.ts'
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

/**
 * Refuses an expected state of a caller who may not read: the answer would reveal what is stored.
 * @param scope the one that lets it read
 * @throws Fault forbidden
 */
export function requireNoGuess({ scopes }: Caller, expected: Expected<never>, scope: Scope = 'knowledge:read'): void {
  if (expected === null || scopes.has(scope)) return
  throw forbidden(PLACE, `Comparing the version needs ${scope}`, [scope])
}
