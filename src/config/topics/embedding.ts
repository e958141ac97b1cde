import { httpUrl, integer, kind, secret, text, textThat } from '../kinds.ts'
import { setting, topic, type ValuesOf } from '../setting.ts'

/** Numbers of a vector at most: more than those of any model in use, and as many as a row of the search engine has. */
export const EMBEDDING_DIMENSIONS_MAX = 8_192

/** The name of a provider, which the providers check: this module does not know them. */
const providerName = textThat('the name of a provider', () => true)

/** Longest prefix: far more than the longest instructions that models in use want. */
const PREFIX_LENGTH_MAX = 1_000

const prefix = textThat(`a text of at most ${PREFIX_LENGTH_MAX} characters`, (raw) => raw.length <= PREFIX_LENGTH_MAX)

/** Values of `input_type` for an endpoint that wants to know what a text is. */
export interface InputTypes {
  readonly query: string
  readonly passage: string
}

const inputTypes = kind<InputTypes>('two words with a comma between, such as query,passage', (raw) => {
  const [, query, passage] = /^([\w-]+),\s*([\w-]+)$/.exec(raw) ?? []
  return query === undefined ? undefined : { query, passage }
})

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
    queryPrefix: setting({
      name: 'EMBEDDING_QUERY_PREFIX',
      kind: prefix,
      meaning:
        'What is put in front of each query for a model at an endpoint that wants it, with the space at its end.',
      example: '"query: "',
    }),
    passagePrefix: setting({
      name: 'EMBEDDING_PASSAGE_PREFIX',
      kind: prefix,
      meaning: 'The same for each passage.',
      example: '"passage: "',
    }),
    inputTypes: setting({
      name: 'EMBEDDING_INPUT_TYPES',
      kind: inputTypes,
      meaning: 'The values of `input_type` for queries and passages, for an endpoint that wants it.',
      example: 'search_query,search_document',
    }),
    threads: setting({
      name: 'EMBEDDING_THREADS',
      kind: integer(1, 64),
      default: '1',
      meaning: 'How many threads at most read one text with a built-in model or one of a folder, in each process.',
      example: '2',
    }),
  },
})

export type EmbeddingConfig = ValuesOf<typeof EMBEDDING.settings>
