import { statSync } from 'node:fs'
import { basename, dirname, join, resolve } from 'node:path'
import { BUILTIN_ID, createBuiltinEmbedder } from './builtin/builtin.ts'
import { EMBEDDING_DIMENSIONS_MAX } from '../config.ts'
import type { Embedder } from './embedder.ts'
import { createOpenAiEmbedder } from './openai.ts'
import { createTransformersEmbedder } from './transformers.ts'

/** The settings EMBEDDING_PROVIDER, _URL, _MODEL, _API_KEY and _DIMENSIONS; null where unset. */
export interface EmbeddingSettings {
  readonly provider: 'builtin' | 'openai' | 'transformers'
  readonly url: string | null
  readonly model: string | null
  readonly apiKey: string | null
  readonly dimensions: number | null
}

/**
 * The embedder the settings ask for. Contacts no provider, so the service starts while one is down.
 * @throws Error naming the environment variable that cannot work
 */
export function createEmbedder(settings: EmbeddingSettings): Embedder {
  const { dimensions } = settings
  if (
    dimensions !== null &&
    !(Number.isInteger(dimensions) && dimensions >= 1 && dimensions <= EMBEDDING_DIMENSIONS_MAX)
  ) {
    throw new Error(`EMBEDDING_DIMENSIONS must be a whole number from 1 to ${EMBEDDING_DIMENSIONS_MAX}`)
  }
  if (settings.provider === 'openai') return openai(settings)
  if (settings.provider === 'transformers') return transformers(settings)
  if (settings.provider === 'builtin') return builtin(settings)
  throw new Error('EMBEDDING_PROVIDER must be builtin, openai or transformers')
}

/**
 * The embedder of an id that vectors were stored under, for searching them while new ones are made. The
 * built-in model is always there; another model of the configured provider is reached in the same place.
 *
 * @returns null when the settings give no way to reach the model
 */
export function createEmbedderFor(id: string, settings: EmbeddingSettings): Embedder | null {
  if (id === BUILTIN_ID) return createBuiltinEmbedder()
  const named = parseId(id)
  if (named === null || named.provider !== settings.provider) return null
  try {
    const model = settings.provider === 'transformers' ? besideOf(settings.model, named.model) : named.model
    const embedder = createEmbedder({ ...settings, model, dimensions: named.dimensions })
    return embedder.id === id ? embedder : null
  } catch {
    return null
  }
}

/** Local models are looked for in the folder that holds the configured one. */
function besideOf(configured: string | null, name: string): string | null {
  return configured === null ? null : join(dirname(resolve(configured)), name)
}

function parseId(id: string): { provider: string; model: string; dimensions: number | null } | null {
  // Model names may hold colons themselves, as in "nomic-embed-text:latest".
  const match = /^(openai|transformers):(.+):(default|\d{1,4})$/s.exec(id)
  if (match === null) return null
  return { provider: match[1], model: match[2], dimensions: match[3] === 'default' ? null : Number(match[3]) }
}

function builtin(settings: EmbeddingSettings): Embedder {
  if (settings.model !== null && settings.model !== 'static-de-en-v1') {
    throw new Error('EMBEDDING_MODEL must be unset or static-de-en-v1 while EMBEDDING_PROVIDER is builtin')
  }
  const embedder = createBuiltinEmbedder()
  if (settings.dimensions !== null && settings.dimensions !== embedder.dimensions) {
    throw new Error(`EMBEDDING_DIMENSIONS must be unset or ${embedder.dimensions} while EMBEDDING_PROVIDER is builtin`)
  }
  return embedder
}

function openai(settings: EmbeddingSettings): Embedder {
  const { url, model, apiKey, dimensions } = settings
  if (url === null) throw new Error('EMBEDDING_URL must be set while EMBEDDING_PROVIDER is openai')
  if (model === null) throw new Error('EMBEDDING_MODEL must be set while EMBEDDING_PROVIDER is openai')
  // What a header may hold; anything else would fail in every call. The value itself is not repeated.
  if (apiKey !== null && !/^[\x21-\x7e]+$/.test(apiKey)) {
    throw new Error('EMBEDDING_API_KEY must be printable ASCII without spaces')
  }
  return createOpenAiEmbedder({ url: readUrl(url), model, apiKey, dimensions })
}

function readUrl(raw: string): URL {
  const url = URL.parse(raw)
  if (url === null || (url.protocol !== 'http:' && url.protocol !== 'https:')) {
    throw new Error('EMBEDDING_URL must be an address that begins with http:// or https://')
  }
  if (url.username !== '' || url.password !== '') {
    throw new Error('EMBEDDING_URL must hold no user name or password: use EMBEDDING_API_KEY')
  }
  if (/\/embeddings\/*$/.test(url.pathname)) {
    throw new Error('EMBEDDING_URL must be what /embeddings is under, such as https://api.openai.com/v1')
  }
  return url
}

function transformers(settings: EmbeddingSettings): Embedder {
  const { model, dimensions } = settings
  if (model === null) throw new Error('EMBEDDING_MODEL must be a folder while EMBEDDING_PROVIDER is transformers')
  const folder = resolve(model)
  if (!statSync(folder, { throwIfNoEntry: false })?.isDirectory()) {
    throw new Error('EMBEDDING_MODEL must be an existing folder while EMBEDDING_PROVIDER is transformers')
  }
  // The last part of the path names the model, so that moving the data to another machine embeds nothing again.
  return createTransformersEmbedder({ folder, name: basename(folder), dimensions })
}
