import type { Tx } from '../platform/database/database.ts'
import type { EmbedderPool } from './embedder-pool.ts'

/**
 * The models that a write needs vectors of. While a tenant is moving to another model there are two, because search
 * still uses the old one.
 * @param active the model that the tenant searches with; null before its first vectors
 */
export function modelsOfWrite(embedders: EmbedderPool, active: string | null): ReadonlySet<string> {
  const current = embedders.current.id
  return new Set([active ?? current, current])
}

/** A tenant without vectors starts with the configured model. */
export async function adoptModel(
  tx: Tx,
  embedders: EmbedderPool,
  tenantId: string,
  active: string | null,
): Promise<void> {
  if (active !== null) return
  const { id } = embedders.current
  await tx.updateTable('tenants').set({ embedding_model: id }).where('tenant_id', '=', tenantId).execute()
}
