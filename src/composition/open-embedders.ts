import { type Config, ConfigError } from '../config.ts'
import { Readers } from '../embedding/contextual/readers.ts'
import type { TextReader } from '../embedding/contextual/reader.ts'
import { EmbedderPool, type OnCall, type OnTokens } from '../embedding/embedder-pool.ts'
import { missingSettings } from '../embedding/providers.ts'
import type { LengthOf } from '../embedding/query-lengths.ts'
import type { MeasuredOf } from '../embedding/scale/model-scales.ts'

/** Commands say themselves what failed. */
const SILENT = { warn: () => undefined }

/**
 * Opens the embedders of the settings. No model is loaded yet.
 * @param reader is closed with the embedders; by default one of their own, which logs nothing
 * @throws ConfigError when a setting of the provider is missing or cannot work
 */
export function openEmbedders(
  { embedding }: Pick<Config, 'embedding'>,
  onTokens?: OnTokens,
  onCall?: OnCall,
  lengthOf?: LengthOf,
  reader: TextReader = new Readers({ threads: embedding.threads, log: SILENT }),
  measuredOf?: MeasuredOf,
): EmbedderPool {
  const missing = missingSettings(embedding)
  if (missing.length > 0) throw new ConfigError(missing)
  try {
    return new EmbedderPool(embedding, onTokens, onCall, lengthOf, reader, measuredOf)
  } catch (error) {
    throw new ConfigError([(error as Error).message])
  }
}
