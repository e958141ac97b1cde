import type { Tx } from '../../platform/database/database.ts'
import type { ApiKeyRow } from '../../platform/database/tables.ts'
import { visitKeys } from './issued-rules.ts'
import * as store from './store.ts'

/**
 * Ends a key from its next request on. The caller ends the tokens that came from it, and records the end.
 * @returns false when the key does not exist or has ended before
 */
export function endKey(tx: Tx, tenantId: string, id: string): Promise<boolean> {
  return store.revokeApiKey(tx, tenantId, id, Date.now())
}

/** Ends a key and all keys that it issued, directly or through others. @returns ids of the keys that this ended */
export async function endKeyWithIssued(tx: Tx, tenantId: string, id: string): Promise<string[]> {
  const ended: string[] = []
  await visitKeys(tx, tenantId, [id], async (level) => {
    ended.push(...(await endKeys(tx, tenantId, level)))
  })
  return ended
}

/**
 * Ends keys that exist through a user like `endKey`.
 * @param exceeding returns those of the given keys that have to end
 * @returns ids of the keys that this ended
 */
export async function endKeysThrough(
  tx: Tx,
  tenantId: string,
  userId: string,
  exceeding: (keys: readonly ApiKeyRow[]) => readonly ApiKeyRow[] | Promise<readonly ApiKeyRow[]>,
): Promise<string[]> {
  const ended: string[] = []
  await visitKeys(tx, tenantId, await store.keysOfOrBy(tx, tenantId, userId), async (level) => {
    const rows = await exceeding(await store.findKeys(tx, tenantId, level))
    const ids = rows.map(({ id }) => id)
    ended.push(...(await endKeys(tx, tenantId, ids)))
  })
  return ended
}

async function endKeys(tx: Tx, tenantId: string, ids: readonly string[]): Promise<string[]> {
  const now = Date.now()
  const ended: string[] = []
  for (const id of ids) if (await store.revokeApiKey(tx, tenantId, id, now)) ended.push(id)
  return ended
}
