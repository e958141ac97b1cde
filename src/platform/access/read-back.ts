import type { Caller } from './caller.ts'

/**
 * Whether a write may answer anything that depends on what is stored. Without `knowledge:read` its answer is the same
 * whatever is there: guesses written over it would else read it out.
 */
export function isTold({ scopes }: Pick<Caller, 'scopes'>): boolean {
  return scopes.has('knowledge:read')
}
