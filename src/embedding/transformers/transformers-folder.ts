import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'

/** A model's folder in the layout of Hugging Face repositories, with the facts that its use needs. */
export interface ModelFolder {
  readonly folder: string
  readonly dimensions: number
  /** How the vectors of tokens become one vector. */
  readonly pooling: 'mean' | 'cls' | 'last_token'
  /** Prefixes that the model expects before each text. */
  readonly prompts: Readonly<Record<'query' | 'passage', string>>
  /** Path of the model file in the folder. */
  readonly file: string
  /** The library's name for the precision of the model file. */
  readonly dtype: string
  /** Most tokens of a text; longer ones are cut. */
  readonly tokensMax: number
}

/** Model files by the library's names, most precise first. */
const MODEL_FILES: readonly (readonly [file: string, dtype: string])[] = [
  ['model.onnx', 'fp32'],
  ['model_fp16.onnx', 'fp16'],
  ['model_quantized.onnx', 'q8'],
  ['model_int8.onnx', 'int8'],
  ['model_uint8.onnx', 'uint8'],
  ['model_q4.onnx', 'q4'],
]

/** Most tokens of a text where neither the model nor its tokenizer names a number. */
const TOKENS_MAX = 512

/**
 * Reads a model's folder: the dimensions from config.json, pooling and prompts from the files of sentence-transformers.
 * Without these files, pooling is the mean and texts get no prefix.
 *
 * @throws Error that names EMBEDDING_MODEL and the file that is missing or wrong
 */
export function readModelFolder(folder: string): ModelFolder {
  for (const needed of ['config.json', 'tokenizer.json', 'tokenizer_config.json']) {
    if (!existsSync(join(folder, needed))) throw new Error(`EMBEDDING_MODEL is a folder without ${needed}`)
  }
  const modelFile = MODEL_FILES.find(([file]) => existsSync(join(folder, 'onnx', file)))
  if (modelFile === undefined) {
    throw new Error(`EMBEDDING_MODEL is a folder without any of onnx/${MODEL_FILES.map(([file]) => file).join(', ')}`)
  }
  const config = readJson(folder, 'config.json')
  const dimensions = config.hidden_size ?? config.d_model ?? config.dim
  if (typeof dimensions !== 'number' || !Number.isInteger(dimensions) || dimensions < 1) {
    throw new Error('EMBEDDING_MODEL is a folder whose config.json has no hidden_size')
  }
  const [name, dtype] = modelFile
  return {
    folder,
    dimensions,
    pooling: readPooling(folder),
    prompts: readPrompts(folder),
    file: `onnx/${name}`,
    dtype,
    tokensMax: readTokensMax(folder, config),
  }
}

/** Reads the bound on tokens: of the tokenizer and of the model's places, the smaller one. */
function readTokensMax(folder: string, config: Readonly<Record<string, unknown>>): number {
  const { model_max_length: ofTokenizer } = readJson(folder, 'tokenizer_config.json')
  const named = [ofTokenizer, config.max_position_embeddings].filter(isCount)
  return named.length === 0 ? TOKENS_MAX : Math.min(...named)
}

/** Tells whether a value of a file is a bound. Tokenizers without one name a number of thirty digits. */
function isCount(value: unknown): value is number {
  return typeof value === 'number' && Number.isSafeInteger(value) && value > 2
}

function readPooling(folder: string): ModelFolder['pooling'] {
  const pooling = readJson(folder, '1_Pooling/config.json')
  if (pooling.pooling_mode_cls_token === true) return 'cls'
  return pooling.pooling_mode_lasttoken === true ? 'last_token' : 'mean'
}

function readPrompts(folder: string): ModelFolder['prompts'] {
  const { prompts } = readJson(folder, 'config_sentence_transformers.json')
  const named = (typeof prompts === 'object' ? (prompts ?? {}) : {}) as Readonly<Record<string, unknown>>
  const first = (...values: unknown[]) => values.find((value) => typeof value === 'string') ?? ''
  return { query: first(named.query), passage: first(named.passage, named.document) }
}

/** Reads a file of JSON; a missing file gives an empty object. @throws Error when the file is no JSON object */
function readJson(folder: string, name: string): Readonly<Record<string, unknown>> {
  const path = join(folder, name)
  if (!existsSync(path)) return {}
  try {
    const value: unknown = JSON.parse(readFileSync(path, 'utf8'))
    if (typeof value === 'object' && value !== null && !Array.isArray(value))
      return value as Readonly<Record<string, unknown>>
  } catch (cause) {
    throw new Error(`EMBEDDING_MODEL is a folder whose ${name} is not JSON`, { cause })
  }
  throw new Error(`EMBEDDING_MODEL is a folder whose ${name} is not a JSON object`)
}
