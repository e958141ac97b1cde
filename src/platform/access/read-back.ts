import type { Caller } from './caller.ts'

/**
 * Whether the answer to a write may depend on stored content. Without `knowledge:read` every answer is the same,
 * because otherwise a caller could write guesses and learn from the answers what is stored.
 */
export function mayReadBack({ scopes }: Pick<Caller, 'scopes'>): boolean {
  return scopes.has('knowledge:read')
}
