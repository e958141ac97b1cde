import type { EmbeddingConfig } from '../config/topics/embedding.ts'
import type { TextReader } from './contextual/reader.ts'
import type { Embedder } from './embedder.ts'

/** The settings that say which model makes vectors; null where unset. */
export type EmbeddingSettings = Omit<EmbeddingConfig, 'threads' | StyleSetting> &
  Partial<Pick<EmbeddingConfig, StyleSetting>>

/** Settings about queries and passages that only some providers have. */
type StyleSetting = 'queryPrefix' | 'passagePrefix' | 'inputTypes'

/** A source of vectors. EMBEDDING_PROVIDER names one of the providers in `providers.ts`. */
export interface Provider {
  /** Required settings, in the order in which missing ones are reported. */
  readonly needs: readonly (keyof EmbeddingSettings)[]
  /**
   * Creates the embedder for these settings. It does not connect, so that the service starts while the provider is
   * down.
   * @param reader reads texts for models that ship with the service, which do not close it
   * @throws Error whose message begins with the wrong environment variable
   */
  create(settings: EmbeddingSettings, reader: TextReader): Embedder
  /** Returns the settings for another model of this provider; by default `settings` with that model's name. */
  settingsOf?(settings: EmbeddingSettings, model: string): EmbeddingSettings
}
