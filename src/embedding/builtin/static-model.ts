import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { normalizeInPlace } from '../vectors.ts'
import { Tokenizer } from './tokenizer.ts'

const FOLDER = new URL('../../../models/', import.meta.url)

/** Name of the model that ships with the service, and of its folder. */
export const MODEL = 'static-de-en-v2'

/** The parts of config.json that inference needs. */
interface ModelConfig {
  readonly name: string
  readonly vocab_size: number
  readonly dim: number
  readonly tokenizer: { readonly continuation: string; readonly min_shared: number; readonly max_tokens: number }
}

interface Weights {
  /** Factor of each piece's row. */
  readonly scales: Float32Array
  /** One row of `dimensions` per piece. */
  readonly rows: Int8Array
}

/**
 * Embeds texts with a static model: each word piece has one row of numbers, and the vector of a text is the mean of the
 * rows of its pieces, L2-normalised. The model ignores word order. Calls are synchronous and not reentrant.
 */
class StaticModel {
  readonly name: string
  readonly dimensions: number
  readonly #tokenizer: Tokenizer
  readonly #weights: Weights
  #embedded = 0

  constructor(config: ModelConfig, pieces: readonly string[], weights: Weights) {
    const { continuation, min_shared: minSharedLength, max_tokens: maxTokens } = config.tokenizer
    this.name = config.name
    this.dimensions = config.dim
    this.#tokenizer = new Tokenizer({ pieces, continuation, minSharedLength, maxTokens })
    this.#weights = weights
  }

  /**
   * Number of pieces that were embedded since the start. A piece of a title, which counts twice in a vector, counts
   * once.
   */
  get embedded(): number {
    return this.#embedded
  }

  /** Returns the ids of the text's pieces, at most the model's maximum. The array is valid until the next call. */
  tokenize(text: string): Int32Array {
    return this.#tokenizer.tokenize(text)
  }

  /** Returns the text's vector, of length 1; all zeros if the text has no piece of the vocabulary. */
  embed(text: string): Float32Array {
    return normalizeInPlace(Float32Array.from(this.meanOf(this.#tokenizer.tokenize(text))))
  }

  /**
   * Returns the vector of a passage. The text before the first blank line, the title, counts twice: its few words say
   * more about the topic than the same number of other words.
   */
  embedTitled(text: string): Float32Array {
    const blankLine = text.indexOf('\n\n')
    // No piece crosses a line, so the title's pieces are the first of the whole text.
    const titleTokens = blankLine < 0 ? 0 : this.#tokenizer.tokenize(text.slice(0, blankLine)).length
    return normalizeInPlace(Float32Array.from(this.meanOf(this.#tokenizer.tokenize(text), titleTokens)))
  }

  /** Returns the mean of the pieces' rows, not normalised. @param doubled how many of the first rows count twice */
  meanOf(ids: Int32Array, doubled = 0): Float64Array {
    const { rows, scales } = this.#weights
    this.#embedded += ids.length
    const sum = new Float64Array(this.dimensions)
    for (let token = 0; token < ids.length; token++) {
      const scale = (scales[ids[token]] * (token < doubled ? 2 : 1)) / (ids.length + doubled)
      const row = ids[token] * sum.length
      for (let i = 0; i < sum.length; i++) sum[i] += scale * rows[row + i]
    }
    return sum
  }
}

let shared: StaticModel | null = null

/** Returns the model that ships with the service. The first call reads it, which takes some tens of milliseconds. */
export function sharedStaticModel(): StaticModel {
  return (shared ??= loadStaticModel(new URL(`${MODEL}/`, FOLDER)))
}

/** Reads a model from its folder. @throws Error when a file is missing or the files do not match */
function loadStaticModel(folder: URL): StaticModel {
  const config = JSON.parse(readFileSync(new URL('config.json', folder), 'utf8')) as ModelConfig
  const pieces = readFileSync(new URL('vocab.txt', folder), 'utf8').trimEnd().split('\n')
  const weights = parseWeights(readFileSync(new URL('model.safetensors', folder)))
  const isWhole =
    pieces.length === config.vocab_size &&
    weights.scales.length === config.vocab_size &&
    weights.rows.length === config.vocab_size * config.dim
  if (!isWhole) throw new Error(`the built-in model in ${fileURLToPath(folder)} is damaged: its files do not match`)
  return new StaticModel(config, pieces, weights)
}

/** Reads the safetensors layout: a little-endian u64 header length, a JSON header, then the tensors. */
function parseWeights(file: Buffer): Weights {
  const headerLength = Number(file.readBigUInt64LE(0))
  const dataStart = 8 + headerLength
  const header = JSON.parse(file.toString('utf8', 8, dataStart)) as Record<string, { data_offsets: [number, number] }>
  const bytesOf = (name: string) => {
    const [start, end] = header[name].data_offsets
    return new Uint8Array(file.buffer, file.byteOffset + dataStart + start, end - start)
  }
  const rows = bytesOf('embedding')
  return {
    // Copied, because a float32 view needs an offset divisible by four, and the header can have any length.
    scales: new Float32Array(bytesOf('scale').slice().buffer),
    rows: new Int8Array(rows.buffer, rows.byteOffset, rows.byteLength),
  }
}
