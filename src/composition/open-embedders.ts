import { type Config, ConfigError } from '../config.ts'
import { EmbedderPool } from '../embedding/embedder-pool.ts'

/** @throws ConfigError when a setting of the embedding provider cannot work */
export function openEmbedders({ embedding }: Pick<Config, 'embedding'>): EmbedderPool {
  try {
    return new EmbedderPool(embedding)
  } catch (error) {
    throw new ConfigError([(error as Error).message])
  }
}
