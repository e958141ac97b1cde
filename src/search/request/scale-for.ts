import { STATIC_ID } from '../../embedding/builtin/ids.ts'
import type { EmbedderPool } from '../../embedding/embedder-pool.ts'
import type { TenantContext } from '../../platform/access/caller.ts'
import type { SearchRequest } from '../engine.ts'

/**
 * Returns the part of an engine request that says how the cosines of the tenant's model count: on which scale, and
 * whether they are those of a contextual model. Empty for the static model, with which ranking was first measured.
 */
export async function scaleFor(
  embedders: Pick<EmbedderPool, 'scaleOf'>,
  { embeddingModel: model }: Pick<TenantContext, 'embeddingModel'>,
): Promise<Pick<SearchRequest, 'scale' | 'isContextual'>> {
  if (model === null || model === STATIC_ID) return {}
  return { scale: await embedders.scaleOf(model), isContextual: true }
}
