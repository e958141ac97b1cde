import { createBothEmbedder, createContextualEmbedder } from '../contextual/embedders.ts'
import type { TextReader } from '../contextual/reader.ts'
import type { Embedder } from '../embedder.ts'
import type { EmbeddingSettings, Provider } from '../provider.ts'
import { createBuiltinEmbedder } from './builtin.ts'
import { BOTH_ID, CONTEXTUAL_ID, STATIC_ID } from './ids.ts'
import { BUILTIN_MODELS, BUILTIN_NAMES, isBuiltinName } from './names.ts'

export const builtin: Provider = {
  needs: [],
  create(settings, reader) {
    const { dimensions } = settings
    const chosen = createBuiltin(chosenId(settings), reader)!
    if (dimensions !== null && dimensions !== chosen.dimensions) {
      throw new Error(`EMBEDDING_DIMENSIONS must be unset or ${chosen.dimensions} with this built-in model`)
    }
    return chosen.answersAtOnce || reader.absence === null ? chosen : createBuiltinEmbedder()
  },
}

/**
 * Creates the embedder of a built-in model.
 * @param reader reads the texts, which the embedder does not close; the static model needs none
 * @returns null for an id that no built-in model has
 */
export function createBuiltin(id: string, reader: TextReader): Embedder | null {
  if (id === STATIC_ID) return createBuiltinEmbedder()
  if (id === CONTEXTUAL_ID) return createContextualEmbedder(reader)
  return id === BOTH_ID ? createBothEmbedder(reader) : null
}

/** Tells whether a model, by its id, needs a reader. */
export function isRead(id: string | null): boolean {
  return id === BOTH_ID || id === CONTEXTUAL_ID
}

/** Tells whether the settings choose a built-in model that needs a reader, whether or not there is one. */
export function choosesReading(settings: Pick<EmbeddingSettings, 'provider' | 'model'>): boolean {
  return settings.provider === 'builtin' && isRead(chosenId(settings))
}

/** Returns the id of the built-in model that the settings choose. @throws Error that names the setting */
function chosenId({ model }: Pick<EmbeddingSettings, 'model'>): string {
  if (model === null) return BOTH_ID
  if (isBuiltinName(model)) return BUILTIN_MODELS[model]
  throw new Error(`EMBEDDING_MODEL must be one of ${BUILTIN_NAMES.join(', ')} while EMBEDDING_PROVIDER is builtin`)
}
