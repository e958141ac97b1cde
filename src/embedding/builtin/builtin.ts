import type { Embedder } from '../embedder.ts'
import { sharedStaticModel } from './static-model.ts'

export const BUILTIN_ID = 'builtin:static-de-en-v1:256'

/** Bounds the time of one call: a passage takes about 50 µs, the longest text allowed 1 ms. */
const BATCH_SIZE = 32

/**
 * The embedder that ships with the service: German and English, offline, deterministic. All instances share one table.
 */
export function createBuiltinEmbedder(): Embedder {
  return {
    id: BUILTIN_ID,
    dimensions: 256,
    batchSize: BATCH_SIZE,
    async embed(texts, purpose, signal) {
      signal?.throwIfAborted()
      const model = sharedStaticModel()
      return texts.map((text) => (purpose === 'passage' ? model.embedTitled(text) : model.embed(text)))
    },
    async close() {},
  }
}
