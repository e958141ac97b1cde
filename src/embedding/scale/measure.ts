import type { Embedder } from '../embedder.ts'
import type { UnrelatedCosines } from './scale.ts'
import { UNRELATED_PASSAGES, UNRELATED_QUESTIONS } from './unrelated-texts.ts'

/**
 * Least spread of a model whose cosines tell texts apart. The narrowest models in use spread theirs ten times as far,
 * and the rounding of float32 is a thousand times smaller.
 */
const SPREAD_MIN = 0.001

/**
 * Measures the cosines of texts that have nothing in common.
 * @throws the errors of the embedder, and Error when its vectors do not tell texts apart
 */
export async function measureUnrelated(
  embedder: Pick<Embedder, 'embed' | 'batchSize'>,
  signal?: AbortSignal,
): Promise<UnrelatedCosines> {
  const questions = await embedAll(embedder, UNRELATED_QUESTIONS, 'query', signal)
  const passages = await embedAll(embedder, UNRELATED_PASSAGES, 'passage', signal)
  const cosines = questions.flatMap((question) => passages.map((passage) => dot(question, passage)))
  const mean = meanOf(cosines)
  const spread = Math.sqrt(meanOf(cosines.map((cosine) => (cosine - mean) ** 2)))
  if (!(spread >= SPREAD_MIN)) throw new Error("the model's vectors do not tell texts apart")
  return { mean, spread }
}

/** Embeds texts in the portions that the embedder takes. Leaves out texts of which the model knows nothing. */
async function embedAll(
  embedder: Pick<Embedder, 'embed' | 'batchSize'>,
  texts: readonly string[],
  purpose: 'query' | 'passage',
  signal?: AbortSignal,
): Promise<Float32Array[]> {
  const vectors: Float32Array[] = []
  for (let i = 0; i < texts.length; i += embedder.batchSize) {
    vectors.push(...(await embedder.embed(texts.slice(i, i + embedder.batchSize), purpose, signal)))
  }
  return vectors.filter((vector) => vector.some((component) => component !== 0))
}

/** Returns the cosine of two vectors of length 1. */
function dot(a: Float32Array, b: Float32Array): number {
  return a.reduce((sum, component, i) => sum + component * b[i], 0)
}

/** Returns the mean; not a number without values. */
function meanOf(values: readonly number[]): number {
  return values.reduce((sum, value) => sum + value, 0) / values.length
}
