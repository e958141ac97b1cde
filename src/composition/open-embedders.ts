import { type Config, ConfigError } from '../config.ts'
import { EmbedderPool, type OnCall, type OnTokens } from '../embedding/embedder-pool.ts'
import { missingSettings } from '../embedding/providers.ts'

/** @throws ConfigError when a setting of the embedding provider is missing or cannot work */
export function openEmbedders(
  { embedding }: Pick<Config, 'embedding'>,
  onTokens?: OnTokens,
  onCall?: OnCall,
): EmbedderPool {
  const missing = missingSettings(embedding)
  if (missing.length > 0) throw new ConfigError(missing)
  try {
    return new EmbedderPool(embedding, onTokens, onCall)
  } catch (error) {
    throw new ConfigError([(error as Error).message])
  }
}
