import type { Tx } from '../platform/database/database.ts'
import type { EmbedderPool } from './embedder-pool.ts'
import { chooseModel } from './model-store.ts'

/**
 * The models that a write needs vectors of. While a tenant is moving to another model there are two, because search
 * still uses the old one.
 * @param active the model that the tenant searches with; null before its first vectors
 */
export function modelsOfWrite(embedders: EmbedderPool, active: string | null): ReadonlySet<string> {
  const current = embedders.current.id
  return new Set([active ?? current, current])
}

/** A tenant without vectors begins with the configured model, which a process that started earlier leaves as it is. */
export async function adoptModel(
  tx: Tx,
  embedders: EmbedderPool,
  tenantId: string,
  active: string | null,
): Promise<void> {
  if (active !== null) return
  await chooseModel(tx, tenantId, embedders.current.id, embedders.startedAt)
}
