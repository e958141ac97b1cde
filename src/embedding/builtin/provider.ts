import type { Provider } from '../provider.ts'
import { createBuiltinEmbedder } from './builtin.ts'
import { MODEL } from './static-model.ts'

export const builtin: Provider = {
  needs: [],
  create({ model, dimensions }) {
    if (model !== null && model !== MODEL) {
      throw new Error(`EMBEDDING_MODEL must be unset or ${MODEL} while EMBEDDING_PROVIDER is builtin`)
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
