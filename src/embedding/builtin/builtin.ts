import type { Embedder } from '../embedder.ts'
import { MODEL, sharedStaticModel } from './static-model.ts'

const DIMENSIONS = 256

/** Most texts of a call, which bounds its time: a passage takes about 50 µs, the longest text 1 ms. */
const BATCH_SIZE = 32

export const BUILTIN_ID = `builtin:${MODEL}:${DIMENSIONS}`

/**
 * Creates the embedder that ships with the service: for German and English, offline, deterministic. All instances share
 * one table of the model.
 */
export function createBuiltinEmbedder(): Embedder {
  return {
    id: BUILTIN_ID,
    dimensions: DIMENSIONS,
    batchSize: BATCH_SIZE,
    answersAtOnce: true,
    async embed(texts, purpose, signal, onTokens) {
      signal?.throwIfAborted()
      const model = sharedStaticModel()
      const before = model.embedded
      const vectors = texts.map((text) => (purpose === 'passage' ? model.embedTitled(text) : model.embed(text)))
      onTokens?.(model.embedded - before)
      return vectors
    },
    async prepare() {
      sharedStaticModel()
    },
    async close() {},
  }
}
