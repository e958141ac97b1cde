import type { Tx } from '../../platform/database/database.ts'
import * as store from './store.ts'

/**
 * Ends a key from its next request on. The caller ends the tokens that came from it, and records the end.
 * @returns false when the key does not exist or has ended before
 */
export function endKey(tx: Tx, tenantId: string, id: string): Promise<boolean> {
  return store.revokeApiKey(tx, tenantId, id, Date.now())
}

/** Ends keys like `endKey`. @returns ids of the keys that this ended */
export async function endKeys(tx: Tx, tenantId: string, ids: readonly string[]): Promise<string[]> {
  const now = Date.now()
  const ended: string[] = []
  for (const id of ids) if (await store.revokeApiKey(tx, tenantId, id, now)) ended.push(id)
  return ended
}

/** Ends a key and all keys that it issued, directly or through others. @returns ids of the keys that this ended */
export async function endKeyWithIssued(tx: Tx, tenantId: string, id: string): Promise<string[]> {
  const now = Date.now()
  const ids: string[] = []
  // A level ends before the keys that it issued are read: a key that is being issued now is then read or refused.
  for (let level = [id]; level.length > 0; level = await store.keysIssuedBy(tx, tenantId, level)) {
    for (const each of level) if (await store.revokeApiKey(tx, tenantId, each, now)) ids.push(each)
  }
  return ids
}
