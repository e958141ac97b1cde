import { httpUrl, integer, secret, text, textThat } from '../kinds.ts'
import { setting, topic, type ValuesOf } from '../setting.ts'

/** Numbers of a vector at most: more than those of any model in use, and as many as a row of the search engine has. */
export const EMBEDDING_DIMENSIONS_MAX = 8_192

/** The name of a provider, which the providers check: this module does not know them. */
const providerName = textThat('the name of a provider', () => true)

export const EMBEDDING = topic({
  title: 'Embedding',
  ownPrefixes: ['EMBEDDING_'],
  settings: {
    provider: setting({
      name: 'EMBEDDING_PROVIDER',
      kind: providerName,
      default: 'builtin',
      meaning: 'The source of vectors, such as builtin, openai (any compatible endpoint) or transformers (local ONNX).',
      example: 'openai',
    }),
    url: setting({
      name: 'EMBEDDING_URL',
      kind: httpUrl,
      meaning: 'The base address of the endpoint.',
      example: 'https://models.example.com/v1',
    }),
    model: setting({
      name: 'EMBEDDING_MODEL',
      kind: text,
      defaultWords: 'both',
      meaning:
        "The model: both, contextual-eu-v1 or static-de-en-v2 of the built-in ones, the name of the endpoint's, or the " +
        'folder of a local one.',
      example: 'nomic-embed-text',
    }),
    apiKey: setting({
      name: 'EMBEDDING_API_KEY',
      kind: secret(text),
      meaning: 'The bearer token for the endpoint.',
    }),
    dimensions: setting({
      name: 'EMBEDDING_DIMENSIONS',
      kind: integer(1, EMBEDDING_DIMENSIONS_MAX),
      defaultWords: "(the model's)",
      meaning: 'The length of the vectors.',
      example: '768',
    }),
    threads: setting({
      name: 'EMBEDDING_THREADS',
      kind: integer(1, 64),
      default: '1',
      meaning: 'How many threads at most read one text with a built-in model, in each process.',
      example: '2',
    }),
  },
})

export type EmbeddingConfig = ValuesOf<typeof EMBEDDING.settings>
