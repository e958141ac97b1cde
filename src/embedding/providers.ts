import { BUILTIN_ID, createBuiltinEmbedder } from './builtin/builtin.ts'
import { builtin } from './builtin/provider.ts'
import { EMBEDDING_DIMENSIONS_MAX } from '../config.ts'
import type { Embedder } from './embedder.ts'
import { openai } from './openai/provider.ts'
import type { EmbeddingSettings, Provider } from './provider.ts'
import { transformers } from './transformers/provider.ts'

/** By the name that EMBEDDING_PROVIDER and the ids of embedders have for each. */
const PROVIDERS: Readonly<Record<string, Provider>> = { builtin, openai, transformers }

/** What keeps the settings from naming an embedder, each line beginning with an environment variable. */
export function missingSettings(settings: EmbeddingSettings): string[] {
  const provider = providerCalled(settings.provider)
  if (provider === null) return [`EMBEDDING_PROVIDER must be one of ${Object.keys(PROVIDERS).join(', ')}`]
  return provider.needs
    .filter((name) => settings[name] === null)
    .map((name) => `EMBEDDING_${name.toUpperCase()} is needed with EMBEDDING_PROVIDER=${settings.provider}`)
}

/**
 * The embedder that the settings ask for.
 * @throws Error whose message begins with the environment variable that is missing or cannot work
 */
export function createEmbedder(settings: EmbeddingSettings): Embedder {
  const [missing] = missingSettings(settings)
  if (missing !== undefined) throw new Error(missing)
  const { dimensions } = settings
  if (
    dimensions !== null &&
    !(Number.isInteger(dimensions) && dimensions >= 1 && dimensions <= EMBEDDING_DIMENSIONS_MAX)
  ) {
    throw new Error(`EMBEDDING_DIMENSIONS must be a whole number from 1 to ${EMBEDDING_DIMENSIONS_MAX}`)
  }
  return PROVIDERS[settings.provider].create(settings)
}

/**
 * The embedder whose id vectors were stored under. A search needs it until new vectors are made. The built-in model is
 * always there; another model of the configured provider is reached at the same place.
 *
 * @returns null when the settings give no way to reach the model
 */
export function createEmbedderFor(id: string, settings: EmbeddingSettings): Embedder | null {
  if (id === BUILTIN_ID) return createBuiltinEmbedder()
  const named = parseId(id)
  const provider = providerCalled(settings.provider)
  if (named === null || provider === null || named.provider !== settings.provider) return null
  try {
    const { model, dimensions } = named
    const there = provider.settingsOf?.(settings, model) ?? { ...settings, model }
    const embedder = createEmbedder({ ...there, dimensions })
    return embedder.id === id ? embedder : null
  } catch {
    return null
  }
}

function providerCalled(name: string): Provider | null {
  return Object.hasOwn(PROVIDERS, name) ? PROVIDERS[name] : null
}

function parseId(id: string): { provider: string; model: string; dimensions: number | null } | null {
  // Model names may hold colons themselves, as in "nomic-embed-text:latest".
  const match = /^([a-z]+):(.+):(default|\d{1,4})$/s.exec(id)
  if (match === null) return null
  return { provider: match[1], model: match[2], dimensions: match[3] === 'default' ? null : Number(match[3]) }
}
