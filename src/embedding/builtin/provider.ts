import type { Provider } from '../provider.ts'
import { createBuiltinEmbedder } from './builtin.ts'

export const builtin: Provider = {
  needs: [],
  create({ model, dimensions }) {
    if (model !== null && model !== 'static-de-en-v1') {
      throw new Error('EMBEDDING_MODEL must be unset or static-de-en-v1 while EMBEDDING_PROVIDER is builtin')
    }
    const embedder = createBuiltinEmbedder()
    if (dimensions !== null && dimensions !== embedder.dimensions) {
      throw new Error(
        `EMBEDDING_DIMENSIONS must be unset or ${embedder.dimensions} while EMBEDDING_PROVIDER is builtin`,
      )
    }
    return embedder
  },
}
