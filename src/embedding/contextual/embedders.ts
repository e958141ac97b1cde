import { BOTH_ID, CONTEXTUAL_ID } from '../builtin/ids.ts'
import { sharedStaticModel } from '../builtin/static-model.ts'
import type { Embedder } from '../embedder.ts'
import { READ_PASSAGE_SIZES } from '../passages.ts'
import { DIMENSIONS } from './dimensions.ts'
import type { Purpose, TextReader } from './reader.ts'

/** Most texts of a call, which the reader reads one after the other: passages of half a second. */
const BATCH_SIZE = 16

/** Components of the static vector in `both`: the first ones, for which the model was trained. */
const STATIC_PART = 128
/** Share of the static cosine, beside that of the contextual one, which is 1. */
const STATIC_SHARE = 0.5
/** Length of the vector that stands in for a passage: the static part of a query's vector has one over this length. */
const STAND_IN_LENGTH = Math.sqrt((1 + STATIC_SHARE) / STATIC_SHARE)

/** Creates the embedder whose vectors are those of the contextual model alone. */
export function createContextualEmbedder(reader: TextReader): Embedder {
  return readingEmbedder(CONTEXTUAL_ID, DIMENSIONS, reader, {
    compose: (contextual) => contextual,
    // Nothing is known of a text before it is read. It is found by its words.
    standIn: () => new Float32Array(DIMENSIONS),
  })
}

/**
 * Creates the embedder whose vectors hold those of both built-in models, so that their cosine is
 * (contextual cosine + ½ static cosine) ÷ 1½.
 */
export function createBothEmbedder(reader: TextReader): Embedder {
  return readingEmbedder(BOTH_ID, DIMENSIONS + STATIC_PART, reader, { compose: bothOf, standIn: staticAlone })
}

/** How the vectors of an embedder are made of a text's contextual vector, and what they are before it is read. */
interface Composition {
  readonly compose: (contextual: Float32Array, text: string, purpose: Purpose) => Float32Array
  readonly standIn: (text: string, purpose: Purpose) => Float32Array
}

function readingEmbedder(id: string, dimensions: number, reader: TextReader, composition: Composition): Embedder {
  const { compose, standIn } = composition
  return {
    id,
    dimensions,
    batchSize: BATCH_SIZE,
    // A query that waits for another one's vector would gain nothing: texts are read one by one.
    queryBatchSize: 1,
    answersAtOnce: false,
    async embed(texts, purpose, signal, onTokens, owner) {
      const { vectors, tokens } = await reader.read(texts, purpose, { signal, owner })
      onTokens?.(tokens)
      return texts.map((text, i) => compose(vectors[i], text, purpose))
    },
    passageSizes: READ_PASSAGE_SIZES,
    standIn,
    async close() {},
  }
}

/**
 * Puts a text's vectors of both models beside each other. Its length is 1, or less where a model knows nothing of the
 * text: then its part is zeros, and the direction of the other part is all that is compared.
 */
function bothOf(contextual: Float32Array, text: string, purpose: Purpose): Float32Array {
  const contextualFactor = Math.sqrt(1 / (1 + STATIC_SHARE))
  const both = withStaticPart(text, purpose, Math.sqrt(STATIC_SHARE / (1 + STATIC_SHARE)))
  for (let i = 0; i < DIMENSIONS; i++) both[i] = contextualFactor * contextual[i]
  return both
}

/**
 * Returns the static part alone. That of a passage is so long that its cosine with the whole vector of a query is the
 * static cosine, and not only the share of it.
 */
function staticAlone(text: string, purpose: Purpose): Float32Array {
  return withStaticPart(text, purpose, purpose === 'passage' ? STAND_IN_LENGTH : 1)
}

/** Returns a vector without its contextual part. @param length of the static part */
function withStaticPart(text: string, purpose: Purpose, length: number): Float32Array {
  const model = sharedStaticModel()
  const part = purpose === 'passage' ? model.embedTitled(text, STATIC_PART) : model.embed(text, STATIC_PART)
  const both = new Float32Array(DIMENSIONS + STATIC_PART)
  for (let i = 0; i < STATIC_PART; i++) both[DIMENSIONS + i] = length * part[i]
  return both
}
