import type { Embedder } from '../embedder.ts'
import { FORMER_MODEL, MODEL, sharedStaticModel } from './static-model.ts'

const DIMENSIONS = 256

/** Bounds the time of one call: a passage takes about 50 µs, the longest text allowed 1 ms. */
const BATCH_SIZE = 32

export const BUILTIN_ID = idOf(MODEL)
export const FORMER_BUILTIN_ID = idOf(FORMER_MODEL)

const MODELS: ReadonlyMap<string, string> = new Map([
  [BUILTIN_ID, MODEL],
  [FORMER_BUILTIN_ID, FORMER_MODEL],
])

function idOf(model: string): string {
  return `builtin:${model}:${DIMENSIONS}`
}

/** Whether an embedder's id names a model whose files ship with the service. */
export function isBuiltin(id: string): boolean {
  return MODELS.has(id)
}

/**
 * The embedder that ships with the service: German and English, offline, deterministic. All instances share one table.
 * @param id one for which `isBuiltin` holds
 */
export function createBuiltinEmbedder(id = BUILTIN_ID): Embedder {
  const name = MODELS.get(id)!
  return {
    id,
    dimensions: DIMENSIONS,
    batchSize: BATCH_SIZE,
    async embed(texts, purpose, signal, onTokens) {
      signal?.throwIfAborted()
      const model = sharedStaticModel(name)
      const before = model.embedded
      const vectors = texts.map((text) => (purpose === 'passage' ? model.embedTitled(text) : model.embed(text)))
      onTokens?.(model.embedded - before)
      return vectors
    },
    async prepare() {
      sharedStaticModel(name)
    },
    async close() {},
  }
}
