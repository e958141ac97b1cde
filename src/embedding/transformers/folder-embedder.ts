import { join } from 'node:path'
import type { ModelForm } from '../contextual/model-form.ts'
import type { TextReader } from '../contextual/reader.ts'
import type { Embedder } from '../embedder.ts'
import { normalizeInPlace } from '../vectors.ts'
import type { ModelFolder } from './transformers-folder.ts'

/** Most texts of a call, which the reader reads one after the other. */
const BATCH_SIZE = 8

/**
 * Creates an embedder whose model is run by the service's own runtime, in the reader's thread.
 * @param dimensions number of the first components that make a vector
 */
export function createFolderEmbedder(
  name: string,
  model: ModelFolder,
  dimensions: number,
  reader: TextReader,
): Embedder {
  const form = formOf(model)
  return {
    id: `transformers:${name}:${dimensions}`,
    dimensions,
    batchSize: BATCH_SIZE,
    // Texts are read one by one, so a query would gain nothing by waiting for another one.
    queryBatchSize: 1,
    answersAtOnce: false,
    async embed(texts, purpose, signal, onTokens, owner) {
      const { vectors, tokens } = await reader.read(texts, purpose, { signal, form, owner })
      onTokens?.(tokens)
      return vectors.map((vector) => normalizeInPlace(vector.slice(0, dimensions)))
    },
    async prepare() {
      // A query would wait six seconds at most, and a large model takes longer to load.
      await reader.read([''], 'passage', { form })
    },
    async close() {},
  }
}

function formOf({ folder, file, prompts, dimensions, pooling, tokensMax }: ModelFolder): ModelForm {
  return {
    name: 'the model in the folder of EMBEDDING_MODEL',
    file: join(folder, file),
    folder,
    prefixes: prompts,
    dimensions,
    pooling,
    tokensMax,
    // As @huggingface/transformers does, which makes vectors of the same id.
    whenLonger: 'cut',
    blanks: [],
  }
}
