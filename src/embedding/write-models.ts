import type { Tx } from '../platform/database/database.ts'
import type { EmbedderPool } from './embedder-pool.ts'
import { chooseModel } from './model-store.ts'

/**
 * Returns the models of which a write needs vectors. While a tenant moves to another model there are two, because
 * search still uses the old one.
 * @param active id of the model that the tenant searches with; null before its first vectors
 */
export function modelsOfWrite(embedders: EmbedderPool, active: string | null): ReadonlySet<string> {
  const current = embedders.current.id
  return new Set([active ?? current, current])
}

/**
 * Lets a tenant without vectors search with the configured model. A process that started earlier does not change that
 * choice.
 */
export async function adoptModel(
  tx: Tx,
  embedders: EmbedderPool,
  tenantId: string,
  active: string | null,
): Promise<void> {
  if (active !== null) return
  await chooseModel(tx, tenantId, embedders.current.id, embedders.startedAt)
}
