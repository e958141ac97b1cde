import { EmbeddingNonsense, EmbeddingRejected, EmbeddingUnavailable } from '../../embedding/embedder.ts'
import type { EmbedderPool } from '../../embedding/embedder-pool.ts'
import type { TenantContext } from '../../platform/access/caller.ts'
import { Fault, quotaExceeded } from '../../platform/faults.ts'
import type { SearchMode } from '../engine.ts'

interface QueryVector {
  /** Null if the tenant has no vectors yet, or if the query could not be embedded and the mode does without a vector. */
  readonly vector: Float32Array | null
  /** Whether words alone rank the hits, because the provider failed or the tenant's quota is used up. */
  readonly degraded: boolean
}

/**
 * Which models may be asked for the vector of a query: any, those that answer at once, or none, when nothing needs it.
 */
export type VectorSource = 'any' | 'at once' | 'none'

type EmbeddedTenant = Pick<TenantContext, 'id' | 'embeddingModel' | 'embeddingPausedUntil'>

const USED_UP = 'The tenant has embedded what it may embed this month; search in hybrid or keyword mode'

const NO_VECTOR: QueryVector = { vector: null, degraded: false }

/**
 * Embeds a tenant's query with the model whose vectors the tenant has. Only semantic mode throws; keyword and hybrid
 * mode do without a vector.
 * @param source any unless the search can do without a vector that it had to wait for
 * @throws EmbeddingUnavailable when the provider is down
 * @throws EmbeddingNonsense when the provider's answer is not a vector
 * @throws Fault invalid at `body.query` when the provider refuses the query; rate_limited while the tenant's monthly
 *   quota of embedding is used up
 */
export async function embedQuery(
  embedders: EmbedderPool,
  { id: tenantId, embeddingModel: model, embeddingPausedUntil: paused = 0 }: EmbeddedTenant,
  query: string,
  mode: SearchMode,
  source: VectorSource = 'any',
): Promise<QueryVector> {
  if (model === null || source === 'none') return NO_VECTOR
  if (source === 'at once' && embedders.of(model)?.answersAtOnce !== true) return NO_VECTOR
  const pauseMs = paused === 0 ? 0 : paused - Date.now()
  if (pauseMs > 0) {
    if (mode !== 'semantic') return { vector: null, degraded: true }
    throw quotaExceeded('embedding_tokens_per_month', USED_UP, pauseMs)
  }
  try {
    return { vector: await requireVector(embedders, model, tenantId, query), degraded: false }
  } catch (error) {
    if (mode !== 'semantic') return { vector: null, degraded: true }
    if (error instanceof EmbeddingRejected && !(error instanceof EmbeddingNonsense)) throw refusal(error)
    throw error
  }
}

function refusal(cause: EmbeddingRejected): Fault {
  const msg = 'The embedding provider refused this query; search in hybrid or keyword mode'
  return new Fault('invalid', [{ loc: ['body', 'query'], msg, type: 'value_error' }], { cause })
}

/**
 * Embeds a query.
 * @throws EmbeddingUnavailable if no provider is configured for the model, and what the provider throws
 */
async function requireVector(
  embedders: EmbedderPool,
  model: string,
  tenantId: string,
  query: string,
): Promise<Float32Array> {
  const vector = embedders.queryVector(model, tenantId, query)
  if (vector === null)
    throw new EmbeddingUnavailable(
      `No provider is configured for the model ${model}; re-embedding with the new model continues`,
    )
  return vector
}
