import type { Queries } from '../../platform/database/database.ts'
import * as store from './store.ts'

/** Ends the tokens that clients got for themselves with an API key. */
export function endTokensOfKey(tx: Queries, tenantId: string, keyId: string): Promise<void> {
  return store.deleteTokensOfKey(tx, tenantId, keyId)
}

/**
 * Removes expired tokens, codes, grants and interactions of all tenants.
 * @param now milliseconds since 1970
 * @param limit most objects to remove
 * @returns the number of removed objects
 */
export function forgetEndedRecords(tx: Queries, now: number, limit: number): Promise<number> {
  return store.deleteExpired(tx, now, limit)
}
