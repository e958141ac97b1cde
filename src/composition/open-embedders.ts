import { type Config, ConfigError } from '../config.ts'
import { EmbedderPool } from '../embedding/embedder-pool.ts'
import { missingSettings } from '../embedding/providers.ts'

/** @throws ConfigError when a setting of the embedding provider is missing or cannot work */
export function openEmbedders({ embedding }: Pick<Config, 'embedding'>): EmbedderPool {
  const missing = missingSettings(embedding)
  if (missing.length > 0) throw new ConfigError(missing)
  try {
    return new EmbedderPool(embedding)
  } catch (error) {
    throw new ConfigError([(error as Error).message])
  }
}
