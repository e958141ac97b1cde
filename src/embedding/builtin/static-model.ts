import { closeSync, openSync, readFileSync, readSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { normalizeInPlace } from '../vectors.ts'
import { BLOCK_ROWS, RowFile } from './row-file.ts'
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
  readonly rows: RowFile
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

  /**
   * Returns the text's vector, of length 1; all zeros if the text has no piece of the vocabulary.
   * @param components how many of the first components it has; by default all
   */
  embed(text: string, components = this.dimensions): Float32Array {
    return normalizeInPlace(Float32Array.from(this.meanOf(this.#tokenizer.tokenize(text), 0, components)))
  }

  /**
   * Returns the vector of a passage. The text before the first blank line, the title, counts twice: its few words say
   * more about the topic than the same number of other words.
   * @param components as in `embed`
   */
  embedTitled(text: string, components = this.dimensions): Float32Array {
    const blankLine = text.indexOf('\n\n')
    // No piece crosses a line, so the title's pieces are the first of the whole text.
    const titleTokens = blankLine < 0 ? 0 : this.#tokenizer.tokenize(text.slice(0, blankLine)).length
    return normalizeInPlace(Float32Array.from(this.meanOf(this.#tokenizer.tokenize(text), titleTokens, components)))
  }

  /**
   * Returns the mean of the pieces' rows, not normalised.
   * @param doubled how many of the first rows count twice
   * @param components how many of the first components are computed
   */
  meanOf(ids: Int32Array, doubled = 0, components = this.dimensions): Float64Array {
    const { rows, scales } = this.#weights
    this.#embedded += ids.length
    const sum = new Float64Array(components)
    for (let token = 0; token < ids.length; token++) {
      const id = ids[token]
      const scale = (scales[id] * (token < doubled ? 2 : 1)) / (ids.length + doubled)
      const block = rows.block(Math.floor(id / BLOCK_ROWS))
      const row = (id % BLOCK_ROWS) * this.dimensions
      for (let i = 0; i < sum.length; i++) sum[i] += scale * block[row + i]
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
  const weights = readWeights(new URL('model.safetensors', folder), config)
  if (weights === null || pieces.length !== config.vocab_size) {
    throw new Error(`the built-in model in ${fileURLToPath(folder)} is damaged: its files do not match`)
  }
  return new StaticModel(config, pieces, weights)
}

/**
 * Reads the safetensors layout: a little-endian u64 header length, a JSON header, then the tensors.
 * @returns null when the file has other tensors than the model
 */
function readWeights(path: URL, { vocab_size: rows, dim }: ModelConfig): Weights | null {
  const headerLength = Number(bytesAt(path, 0, 8).readBigUInt64LE(0))
  const dataStart = 8 + headerLength
  const header = JSON.parse(bytesAt(path, 8, headerLength).toString('utf8')) as Record<
    string,
    { data_offsets: [number, number] }
  >
  const [scale, embedding] = [header.scale.data_offsets, header.embedding.data_offsets]
  if (scale[1] - scale[0] !== rows * Float32Array.BYTES_PER_ELEMENT || embedding[1] - embedding[0] !== rows * dim) {
    return null
  }
  const { buffer, byteOffset } = bytesAt(path, dataStart + scale[0], scale[1] - scale[0])
  return {
    scales: new Float32Array(buffer, byteOffset, rows),
    rows: new RowFile(path, dataStart + embedding[0], rows, dim),
  }
}

/** Reads bytes of a file, into memory of their own. @throws Error when the file ends before */
function bytesAt(path: URL, position: number, length: number): Buffer<ArrayBuffer> {
  const bytes = Buffer.from(new ArrayBuffer(length))
  const file = openSync(path, 'r')
  try {
    if (readSync(file, bytes, 0, length, position) < length) throw new Error(`${fileURLToPath(path)} is cut off`)
  } finally {
    closeSync(file)
  }
  return bytes
}
