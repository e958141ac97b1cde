import type { Tx } from '../platform/database/database.ts'
import type { EmbedderPool } from './embedder-pool.ts'
import { chooseModel } from './model-store.ts'

/**
 * Returns the models of which a write needs vectors. While a tenant moves to another model there are two, because
 * search still uses the old one.
 * @param target id of the model that the tenant should search with
 * @param active id of the model that the tenant searches with; null before its first vectors
 */
export function modelsOfWrite(target: string, active: string | null): ReadonlySet<string> {
  return new Set([active ?? target, target])
}

/**
 * Lets a tenant without vectors search with the model that it should have. A process that started earlier does not
 * change that.
 */
export async function adoptModel(
  tx: Tx,
  { startedAt }: Pick<EmbedderPool, 'startedAt'>,
  tenantId: string,
  active: string | null,
  target: string,
): Promise<void> {
  if (active !== null) return
  await chooseModel(tx, tenantId, target, startedAt)
}
