/** Models that `bench:quality` compares, each with the settings by which a service uses it. */
import { startSqueezedEndpoint } from './squeezed-endpoint.ts'

/** What a service needs to use a model. */
interface ModelUse {
  readonly settings: Readonly<Record<string, string>>
  close(): Promise<void>
}

interface ComparedModel {
  /** Name in the head of a table. */
  readonly title: string
  use(): Promise<ModelUse>
}

function builtin(model: string): () => Promise<ModelUse> {
  return () => Promise.resolve({ settings: { EMBEDDING_MODEL: model }, close: () => Promise.resolve() })
}

export const MODELS = {
  'static-de-en-v2': { title: 'static', use: builtin('static-de-en-v2') },
  'contextual-eu-v1': { title: 'contextual', use: builtin('contextual-eu-v1') },
  both: { title: 'both', use: builtin('both') },
  squeezed: {
    title: 'squeezed',
    async use() {
      const { url, settings, close } = await startSqueezedEndpoint()
      return { settings: { EMBEDDING_PROVIDER: 'openai', EMBEDDING_URL: url, ...settings }, close }
    },
  },
} as const satisfies Readonly<Record<string, ComparedModel>>

export type ModelName = keyof typeof MODELS
