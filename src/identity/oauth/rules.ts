import type { Queries } from '../../platform/database/database.ts'
import * as store from './store.ts'

/** Ends the tokens that clients got with an API key. */
export function endTokensOfKey(tx: Queries, tenantId: string, keyId: string): Promise<void> {
  return store.deleteTokensOfKey(tx, tenantId, keyId)
}

/**
 * Forgets tokens, codes, grants and interactions of all tenants whose time is over.
 * @param now milliseconds since 1970
 * @param limit how many at most
 * @returns how many
 */
export function forgetEndedRecords(tx: Queries, now: number, limit: number): Promise<number> {
  return store.deleteExpired(tx, now, limit)
}
