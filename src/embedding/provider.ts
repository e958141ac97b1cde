import type { EmbeddingConfig } from '../config/topics/embedding.ts'
import type { Embedder } from './embedder.ts'

/** The settings of EMBEDDING_PROVIDER; null where unset. */
export type EmbeddingSettings = EmbeddingConfig

/** A source of vectors. EMBEDDING_PROVIDER names one of the providers in `providers.ts`. */
export interface Provider {
  /** Required settings, in the order in which missing ones are reported. */
  readonly needs: readonly (keyof EmbeddingSettings)[]
  /**
   * Creates the embedder for these settings. It does not connect, so that the service starts while the provider is
   * down.
   * @throws Error whose message begins with the wrong environment variable
   */
  create(settings: EmbeddingSettings): Embedder
  /** Returns the settings for another model of this provider; by default `settings` with that model's name. */
  settingsOf?(settings: EmbeddingSettings, model: string): EmbeddingSettings
}
