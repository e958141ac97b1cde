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
  const passages = hits.map(({ entry }) => passageOf(entry))
  const isExplained = await Promise.all(
    models.map(async (model) => {
      const embedder = embedders.of(model)
      const [queryVector] = embedder === null ? [vectorOf(model, query)] : await embedder.embed([query], 'query')
      const texts =
        embedder === null ? passages.map((text) => vectorOf(model, text)) : await embedder.embed(passages, 'passage')
      return hits.every(({ similarity }, i) => {
        const expected = texts[i].reduce((sum, value, at) => sum + value * queryVector[at], 0)
        return Math.abs(similarity - expected) < 1e-4
      })
    }),
  )
  const similarities = hits.map(({ similarity }) => similarity)
  assert.ok(isExplained.includes(true), `${similarities.join(', ')} are neither those of ${models.join(' nor of ')}`)
}

function passageOf({ title, content }: { title: string; content: string }): string {
  const passages = splitPassages(title, content)
  assert.equal(passages.length, 1)
  return passages[0].text
}
