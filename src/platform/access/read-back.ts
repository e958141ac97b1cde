import type { Caller } from './caller.ts'

/**
 * Tells whether the answer to a write may show stored content. Without `knowledge:read` it shows none, because
 * otherwise a caller could write guesses and learn from the answers what is stored. Some refusals still depend on
 * stored content, such as 404, 409 and 422 of categories.
 */
export function mayReadBack({ scopes }: Pick<Caller, 'scopes'>): boolean {
  return scopes.has('knowledge:read')
}
