import { createRequire } from 'node:module'
import { pathToFileURL } from 'node:url'
import { FairSlots } from '../../platform/threads/fair-slots.ts'
import { type Embedder, EmbeddingNonsense, EmbeddingUnavailable } from '../embedder.ts'
import { type ModelFolder, readModelFolder } from './transformers-folder.ts'
import { normalizeInPlace } from '../vectors.ts'

export interface TransformersOptions {
  readonly folder: string
  /** What the folder is called in the id. */
  readonly name: string
  /** Fewer than the model has keep the first components, which suits models trained for it (Matryoshka). */
  readonly dimensions: number | null
  /** File or folder from which the library is looked up, where not the service's own modules. */
  readonly libraryFrom?: string
}

/** Rows of one run are padded to the longest and held in memory at once. */
const BATCH_SIZE = 8
/** An embedder knows nothing of tenants: its runs are made in the order they came. */
const ANYBODY = ''
const RELOAD_MS = 60_000

/** The parts of @huggingface/transformers 4 used here; the package is not there to take the types from. */
interface Library {
  readonly env: { allowRemoteModels: boolean; allowLocalModels: boolean }
  pipeline(task: 'feature-extraction', model: string, options: object): Promise<Extractor>
}

interface Extractor {
  (texts: string[], options: { pooling: string; normalize: boolean }): Promise<{ data: Float32Array; dims: number[] }>
  dispose(): Promise<unknown>
}

/**
 * A local ONNX model run by @huggingface/transformers, which the operator installs beside the service. The
 * model is read with the first text; nothing is ever downloaded.
 *
 * @throws Error naming the setting when the package or a file of the model is missing
 */
export function createTransformersEmbedder(options: TransformersOptions): Embedder {
  const libraryUrl = findLibrary(options.libraryFrom ?? import.meta.url)
  const model = readModelFolder(options.folder)
  const dimensions = options.dimensions ?? model.dimensions
  if (dimensions > model.dimensions) {
    throw new Error(`EMBEDDING_DIMENSIONS must be at most ${model.dimensions}, which is what the model has`)
  }
  return new TransformersEmbedder(options.name, model, dimensions, libraryUrl)
}

class TransformersEmbedder implements Embedder {
  readonly id: string
  readonly dimensions: number
  readonly batchSize = BATCH_SIZE
  readonly #model: ModelFolder
  readonly #libraryUrl: string
  /** The runtime spreads one run over all cores; a second at the same time would only cost memory. */
  readonly #slot = new FairSlots({ slots: 1 })
  #extractor: Promise<Extractor> | null = null

  constructor(name: string, model: ModelFolder, dimensions: number, libraryUrl: string) {
    this.id = `transformers:${name}:${dimensions}`
    this.dimensions = dimensions
    this.#model = model
    this.#libraryUrl = libraryUrl
  }

  async embed(texts: readonly string[], purpose: 'query' | 'passage', signal?: AbortSignal): Promise<Float32Array[]> {
    const vectors: Float32Array[] = []
    // The library takes the last place for the last token, which in a shorter row of a batch is padding.
    const size = this.#model.pooling === 'last_token' ? 1 : BATCH_SIZE
    for (let i = 0; i < texts.length; i += size) {
      const batch = texts.slice(i, i + size).map((text) => this.#model.prompts[purpose] + text)
      vectors.push(...(await this.#slot.run(ANYBODY, () => this.#run(batch, signal), { signal })))
    }
    return vectors
  }

  async close(): Promise<void> {
    const extractor = await this.#extractor?.catch(() => null)
    this.#extractor = null
    await extractor?.dispose()
  }

  async #run(texts: string[], signal: AbortSignal | undefined): Promise<Float32Array[]> {
    signal?.throwIfAborted()
    const extractor = await this.#loaded()
    const { data, dims } = await extractor(texts, { pooling: this.#model.pooling, normalize: false })
    const width = dims.at(-1) ?? 0
    if (dims.length !== 2 || dims[0] !== texts.length || width !== this.#model.dimensions) {
      throw new EmbeddingNonsense(`the model gave [${dims.join(', ')}] instead of one vector for each text`)
    }
    return texts.map((_text, i) => {
      const vector = normalizeInPlace(Float32Array.from(data.subarray(i * width, i * width + this.dimensions)))
      if (!vector.every(Number.isFinite)) throw new EmbeddingNonsense('the model gave a number that is not finite')
      return vector
    })
  }

  /** A failure is not kept: the operator may put the files right meanwhile. */
  async #loaded(): Promise<Extractor> {
    try {
      return await (this.#extractor ??= this.#load())
    } catch (cause) {
      this.#extractor = null
      const options = { retryAfterMs: RELOAD_MS, cause }
      throw new EmbeddingUnavailable('the model in the folder EMBEDDING_MODEL names cannot be loaded', options)
    }
  }

  async #load(): Promise<Extractor> {
    const libraryUrl = this.#libraryUrl
    const library = (await import(libraryUrl)) as Library
    library.env.allowRemoteModels = false
    library.env.allowLocalModels = true
    const { folder, dtype } = this.#model
    return library.pipeline('feature-extraction', folder, { dtype, device: 'cpu', local_files_only: true })
  }
}

function findLibrary(from: string): string {
  try {
    return pathToFileURL(createRequire(from).resolve('@huggingface/transformers')).href
  } catch (cause) {
    const message = 'EMBEDDING_PROVIDER transformers needs a package: npm install @huggingface/transformers@4'
    throw new Error(message, { cause })
  }
}
