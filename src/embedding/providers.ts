import { createBuiltin, builtin } from './builtin/provider.ts'
import { EMBEDDING_DIMENSIONS_MAX } from '../config/topics/embedding.ts'
import type { TextReader } from './contextual/reader.ts'
import type { Embedder } from './embedder.ts'
import { openai } from './openai/provider.ts'
import type { EmbeddingSettings, Provider } from './provider.ts'
import { transformers } from './transformers/provider.ts'

/** Providers by their names in EMBEDDING_PROVIDER and in the ids of embedders. */
const PROVIDERS: Readonly<Record<string, Provider>> = { builtin, openai, transformers }

/** Returns the problems in the settings of the embedder. Each line begins with an environment variable. */
export function missingSettings(settings: EmbeddingSettings): string[] {
  const provider = providerCalled(settings.provider)
  if (provider === null) return [`EMBEDDING_PROVIDER must be one of ${Object.keys(PROVIDERS).join(', ')}`]
  return provider.needs
    .filter((name) => settings[name] === null)
    .map((name) => `EMBEDDING_${name.toUpperCase()} must be set with EMBEDDING_PROVIDER=${settings.provider}`)
}

/**
 * Creates the embedder that the settings name, or the static one where they name a built-in model that needs a reader
 * and there can be none.
 * @param reader reads texts for the built-in models; the embedder does not close it
 * @throws Error whose message begins with the missing or wrong environment variable
 */
export function createEmbedder(settings: EmbeddingSettings, reader: TextReader): Embedder {
  const [missing] = missingSettings(settings)
  if (missing !== undefined) throw new Error(missing)
  const { dimensions } = settings
  if (
    dimensions !== null &&
    !(Number.isInteger(dimensions) && dimensions >= 1 && dimensions <= EMBEDDING_DIMENSIONS_MAX)
  ) {
    throw new Error(`EMBEDDING_DIMENSIONS must be a whole number from 1 to ${EMBEDDING_DIMENSIONS_MAX}`)
  }
  return PROVIDERS[settings.provider].create(settings, reader)
}

/**
 * Creates the embedder of stored vectors by its id. Searches need it until new vectors exist. The built-in models are
 * always available. Another model of the configured provider is expected at the same address, or in a folder beside its
 * own.
 *
 * @returns null if the settings cannot reach the model
 */
export function createEmbedderFor(id: string, settings: EmbeddingSettings, reader: TextReader): Embedder | null {
  const own = createBuiltin(id, reader)
  if (own !== null) return own
  const named = parseId(id)
  const provider = providerCalled(settings.provider)
  if (named === null || provider === null || named.provider !== settings.provider) return null
  try {
    const { model, dimensions } = named
    const ownSettings = provider.settingsOf?.(settings, model) ?? { ...settings, model }
    const embedder = createEmbedder({ ...ownSettings, dimensions }, reader)
    return embedder.id === id ? embedder : null
  } catch {
    return null
  }
}

/**
 * Tells whether the id of an embedder leaves the length of its vectors to the provider. All other ids name the length,
 * and their embedders keep to it.
 */
export function isLengthOpen(id: string): boolean {
  return parseId(id)?.dimensions === null
}

function providerCalled(name: string): Provider | null {
  return Object.hasOwn(PROVIDERS, name) ? PROVIDERS[name] : null
}

function parseId(id: string): { provider: string; model: string; dimensions: number | null } | null {
  // Model names may contain colons, as in "nomic-embed-text:latest".
  const match = /^([a-z]+):(.+):(default|\d{1,4})$/s.exec(id)
  if (match === null) return null
  return { provider: match[1], model: match[2], dimensions: match[3] === 'default' ? null : Number(match[3]) }
}
