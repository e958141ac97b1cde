import { BOTH_ID, CONTEXTUAL_ID } from '../builtin/ids.ts'
import { sharedStaticModel } from '../builtin/static-model.ts'
import type { Embedder } from '../embedder.ts'
import { normalizeInPlace } from '../vectors.ts'
import { DIMENSIONS } from './dimensions.ts'
import type { Purpose, TextReader } from './reader.ts'
import { standIn } from './stand-in.ts'

/** Most texts of a call, which the reader reads one after the other: passages of half a second. */
const BATCH_SIZE = 16

/** Components of the static vector in `both`: the first ones, for which the model was trained. */
const STATIC_PART = 128
/** Share of the static cosine, beside that of the contextual one, which is 1. */
const STATIC_SHARE = 0.5

/** Creates the embedder whose vectors are those of the contextual model alone. */
export function createContextualEmbedder(reader: TextReader): Embedder {
  return readingEmbedder(CONTEXTUAL_ID, DIMENSIONS, reader, (contextual) => contextual)
}

/**
 * Creates the embedder whose vectors hold those of both built-in models, so that their cosine is
 * (contextual cosine + ½ static cosine) ÷ 1½.
 */
export function createBothEmbedder(reader: TextReader): Embedder {
  return readingEmbedder(BOTH_ID, DIMENSIONS + STATIC_PART, reader, bothOf)
}

type Composition = (contextual: Float32Array, text: string, purpose: Purpose) => Float32Array

function readingEmbedder(id: string, dimensions: number, reader: TextReader, compose: Composition): Embedder {
  return {
    id,
    dimensions,
    batchSize: BATCH_SIZE,
    // A query that waits for another one's vector would gain nothing: texts are read one by one.
    queryBatchSize: 1,
    answersAtOnce: false,
    async embed(texts, purpose, signal, onTokens) {
      const { vectors, tokens } = await reader.read(texts, purpose, signal)
      onTokens?.(tokens)
      return texts.map((text, i) => compose(vectors[i], text, purpose))
    },
    standIn: (text, purpose) => compose(standIn(text), text, purpose),
    async close() {},
  }
}

/**
 * Puts a text's vectors of both models beside each other. Its length is 1, or less where a model knows nothing of the
 * text: then nothing takes the place of its share.
 */
function bothOf(contextual: Float32Array, text: string, purpose: Purpose): Float32Array {
  const model = sharedStaticModel()
  const whole = purpose === 'passage' ? model.embedTitled(text) : model.embed(text)
  const part = normalizeInPlace(whole.slice(0, STATIC_PART))
  const contextualFactor = Math.sqrt(1 / (1 + STATIC_SHARE))
  const staticFactor = Math.sqrt(STATIC_SHARE / (1 + STATIC_SHARE))
  const both = new Float32Array(DIMENSIONS + STATIC_PART)
  for (let i = 0; i < DIMENSIONS; i++) both[i] = contextualFactor * contextual[i]
  for (let i = 0; i < STATIC_PART; i++) both[DIMENSIONS + i] = staticFactor * part[i]
  return both
}
