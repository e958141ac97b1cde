import { hasUser } from '../../platform/web-url.ts'
import type { Provider } from '../provider.ts'
import { createOpenAiEmbedder } from './openai.ts'
import { readStyledName } from './text-style.ts'

export const openai: Provider = {
  needs: ['url', 'model'],
  create({ url, model, apiKey, dimensions, queryPrefix, passagePrefix, inputTypes }) {
    // Other characters cannot be sent in a header, so every call would fail. The message must not repeat the key.
    if (apiKey !== null && !/^[\x21-\x7e]+$/.test(apiKey)) {
      throw new Error('EMBEDDING_API_KEY must be printable ASCII without spaces')
    }
    const style = {
      prefixes: { query: queryPrefix ?? '', passage: passagePrefix ?? '' },
      inputTypes: inputTypes ?? null,
    }
    return createOpenAiEmbedder({ url: readUrl(url!), model: model!, apiKey, dimensions, style })
  },
  settingsOf(settings, name) {
    const { model, style } = readStyledName(name)
    const { prefixes, inputTypes } = style
    return { ...settings, model, queryPrefix: prefixes.query, passagePrefix: prefixes.passage, inputTypes }
  },
}

function readUrl(raw: string): URL {
  const url = URL.parse(raw)
  if (url === null || (url.protocol !== 'http:' && url.protocol !== 'https:')) {
    throw new Error('EMBEDDING_URL must be an address that begins with http:// or https://')
  }
  if (hasUser(url)) {
    throw new Error('EMBEDDING_URL must hold no user name or password: use EMBEDDING_API_KEY')
  }
  if (/\/embeddings\/*$/.test(url.pathname)) {
    throw new Error('EMBEDDING_URL must be what /embeddings is under, such as https://api.openai.com/v1')
  }
  return url
}
