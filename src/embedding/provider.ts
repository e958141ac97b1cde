import type { Embedder } from './embedder.ts'

/** The settings EMBEDDING_PROVIDER, _URL, _MODEL, _API_KEY and _DIMENSIONS; null where unset. */
export interface EmbeddingSettings {
  readonly provider: string
  readonly url: string | null
  readonly model: string | null
  readonly apiKey: string | null
  readonly dimensions: number | null
}

/** Where vectors come from. EMBEDDING_PROVIDER names one of those that `providers.ts` lists. */
export interface Provider {
  /** The settings that must be set, in the order in which missing ones are reported. */
  readonly needs: readonly (keyof EmbeddingSettings)[]
  /**
   * The embedder of these settings. Connects to nothing, so that the service starts while the provider is down.
   * @throws Error whose message begins with the environment variable that cannot work
   */
  create(settings: EmbeddingSettings): Embedder
  /** The settings that reach another model of this provider; without this method, the settings with that model's name. */
  settingsOf?(settings: EmbeddingSettings, model: string): EmbeddingSettings
}
