import type { Embedder } from './embedder.ts'

/** The settings EMBEDDING_PROVIDER, _URL, _MODEL, _API_KEY and _DIMENSIONS; null if unset. */
export interface EmbeddingSettings {
  readonly provider: string
  readonly url: string | null
  readonly model: string | null
  readonly apiKey: string | null
  readonly dimensions: number | null
}

/** A source of vectors. EMBEDDING_PROVIDER names one of the providers in `providers.ts`. */
export interface Provider {
  /** The required settings, in the order in which missing ones are reported. */
  readonly needs: readonly (keyof EmbeddingSettings)[]
  /**
   * Creates the embedder for these settings. It connects to nothing, so the service starts while the provider is down.
   * @throws Error whose message starts with the wrong environment variable
   */
  create(settings: EmbeddingSettings): Embedder
  /** Settings for another model of this provider. Without this method, they are `settings` with that model's name. */
  settingsOf?(settings: EmbeddingSettings, model: string): EmbeddingSettings
}
