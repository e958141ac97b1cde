import type { EmbedderPool } from '../../embedding/embedder-pool.ts'
import type { TenantContext } from '../../platform/access/caller.ts'
import type { SearchRequest } from '../engine.ts'

/**
 * Returns the part of an engine request that brings the cosines of the tenant's model to the scale of ranking; empty
 * where they count as they are.
 */
export async function scaleFor(
  embedders: Pick<EmbedderPool, 'scaleOf'>,
  { embeddingModel: model }: Pick<TenantContext, 'embeddingModel'>,
): Promise<Pick<SearchRequest, 'scale'>> {
  if (model === null) return {}
  const scale = await embedders.scaleOf(model)
  return scale.factor === 1 && scale.offset === 0 ? {} : { scale }
}
