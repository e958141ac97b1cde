import type { Caller } from './caller.ts'

/**
 * Whether a write may answer what is stored. Without `knowledge:read` it answers none of it: guesses written over it
 * would else read it out. Some refusals still depend on what is there, such as 404, 409 and 422 of categories.
 */
export function isTold({ scopes }: Pick<Caller, 'scopes'>): boolean {
  return scopes.has('knowledge:read')
}
