import { type Config, ConfigError } from '../config.ts'
import { EmbedderPool, type OnCall, type OnTokens } from '../embedding/embedder-pool.ts'
import { missingSettings } from '../embedding/providers.ts'
import type { LengthOf } from '../embedding/query-lengths.ts'

/** Opens the embedders of the settings. @throws ConfigError when a setting of the provider is missing or cannot work */
export function openEmbedders(
  { embedding }: Pick<Config, 'embedding'>,
  onTokens?: OnTokens,
  onCall?: OnCall,
  lengthOf?: LengthOf,
): EmbedderPool {
  const missing = missingSettings(embedding)
  if (missing.length > 0) throw new ConfigError(missing)
  try {
    return new EmbedderPool(embedding, onTokens, onCall, lengthOf)
  } catch (error) {
    throw new ConfigError([(error as Error).message])
  }
}
