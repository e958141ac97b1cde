import assert from 'node:assert/strict'
import { EmbedderPool } from '../../src/embedding/embedder-pool.ts'
import { splitPassages } from '../../src/embedding/passages.ts'
import { vectorOf } from './provider.ts'
import type { Hit } from './stage.ts'

/** Query of searches that run during a move. */
export const QUERY = 'number of them all'

/** Embedders of the model that needs no reader. */
const STATIC_ONLY = new EmbedderPool({
  provider: 'builtin',
  url: null,
  model: 'static-de-en-v2',
  apiKey: null,
  dimensions: null,
})

/**
 * Fails unless one of the models explains every similarity in the answer.
 * @param models ids of built-in models, or names of the provider's
 * @param embedders has the built-in ones; by default only the static one
 */
export async function assertOneModel(
  hits: readonly Hit[],
  models: readonly string[],
  query = QUERY,
  embedders = STATIC_ONLY,
): Promise<void> {
  const isExplained = await Promise.all(
    models.map(async (model) => {
      const embedder = embedders.of(model)
      const embed = async (texts: string[], purpose: 'query' | 'passage') =>
        embedder === null ? texts.map((text) => vectorOf(model, text)) : await embedder.embed(texts, purpose)
      const [queryVector] = await embed([query], 'query')
      const areExplained = await Promise.all(
        hits.map(async ({ entry, similarity }) => {
          const passages = splitPassages(entry.title, entry.content, embedder?.passageSizes)
          const vectors = await embed(
            passages.map(({ text }) => text),
            'passage',
          )
          const cosines = vectors.map((vector) => vector.reduce((sum, value, at) => sum + value * queryVector[at], 0))
          return Math.abs(similarity - Math.max(...cosines)) < 1e-4
        }),
      )
      return areExplained.every(Boolean)
    }),
  )
  const similarities = hits.map(({ similarity }) => similarity)
  assert.ok(isExplained.includes(true), `${similarities.join(', ')} are neither those of ${models.join(' nor of ')}`)
}
