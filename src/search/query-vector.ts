import { EmbeddingNonsense, EmbeddingRejected, EmbeddingUnavailable } from '../embedding/embedder.ts'
import type { EmbedderPool } from '../embedding/embedder-pool.ts'
import { Fault } from '../platform/faults.ts'
import type { SearchMode } from './engine.ts'

interface QueryVector {
  /** Null when the tenant has no vectors yet, or the mode can do without and the provider is down. */
  readonly vector: Float32Array | null
  /** Whether the answer lacks its part by meaning because the provider is down. */
  readonly degraded: boolean
}

const NO_VECTOR: QueryVector = { vector: null, degraded: false }

/**
 * Embeds a query with the model whose vectors the tenant has.
 * @throws EmbeddingUnavailable in semantic mode only; keyword and hybrid search answer without vectors
 * @throws EmbeddingNonsense likewise, when the provider answers no vector
 * @throws Fault invalid at `body.query` likewise, when the provider does not take the query
 */
export async function embedQuery(
  embedders: EmbedderPool,
  model: string | null,
  query: string,
  mode: SearchMode,
): Promise<QueryVector> {
  if (model === null) return NO_VECTOR
  try {
    return { vector: await requireVector(embedders, model, query), degraded: false }
  } catch (error) {
    if (mode !== 'semantic') return { vector: null, degraded: true }
    if (error instanceof EmbeddingRejected && !(error instanceof EmbeddingNonsense)) throw refused(error)
    throw error
  }
}

function refused(cause: EmbeddingRejected): Fault {
  const msg = 'The embedding provider does not take this query; search in hybrid or keyword mode'
  return new Fault('invalid', [{ loc: ['body', 'query'], msg, type: 'value_error' }], { cause })
}

async function requireVector(embedders: EmbedderPool, model: string, query: string): Promise<Float32Array> {
  const vector = embedders.queryVector(model, query)
  if (vector === null)
    throw new EmbeddingUnavailable(
      `No provider for the model ${model} is configured; re-embedding to the new one goes on`,
    )
  return vector
}
