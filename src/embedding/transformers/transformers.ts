import { createRequire } from 'node:module'
import { pathToFileURL } from 'node:url'
import { FairSlots } from '../../platform/threads/fair-slots.ts'
import { runtimeAbsence } from '../contextual/availability.ts'
import type { TextReader } from '../contextual/reader.ts'
import { type Embedder, EmbeddingNonsense, EmbeddingUnavailable } from '../embedder.ts'
import { createFolderEmbedder } from './folder-embedder.ts'
import { type ModelFolder, readModelFolder } from './transformers-folder.ts'
import { normalizeInPlace } from '../vectors.ts'

export interface TransformersOptions {
  /** Path of the folder with the model. */
  readonly folder: string
  /** The folder's name in the embedder's id. */
  readonly name: string
  /**
   * Number of components of a vector; null for all. If the model has more, only the first ones are used, which suits
   * models that are trained for it (Matryoshka).
   */
  readonly dimensions: number | null
  /** URL of the module to resolve the library and the runtime from, instead of the service's own modules. */
  readonly libraryFrom?: string
}

/** Most texts of one run of the model. They are padded to the longest, and are in memory at once. */
const BATCH_SIZE = 8
/**
 * Owner of all runs in the slots. An embedder does not know tenants, so runs are made in the order in which they
 * arrive.
 */
const OWNER = ''
/** Milliseconds after which callers try again to load a model that could not be loaded. */
const RELOAD_MS = 60_000

/** The parts of @huggingface/transformers 4 in use. The package's own types are missing where it is not installed. */
interface Library {
  readonly env: { allowRemoteModels: boolean; allowLocalModels: boolean }
  pipeline(task: 'feature-extraction', model: string, options: object): Promise<Extractor>
}

interface Extractor {
  (texts: string[], options: { pooling: string; normalize: boolean }): Promise<{ data: Float32Array; dims: number[] }>
  dispose(): Promise<unknown>
}

/**
 * Creates an embedder that runs a local ONNX model: with @huggingface/transformers where the operator has installed it
 * beside the service, else with the service's own runtime. `prepare` loads the model, else the first text does. Nothing
 * is downloaded.
 *
 * @param reader reads the texts with the service's own runtime; the embedder does not close it
 * @throws Error that names the setting when there is no runtime, or a file of the model is missing
 */
export function createTransformersEmbedder(options: TransformersOptions, reader: TextReader): Embedder {
  const { libraryFrom = import.meta.url } = options
  const libraryUrl = findLibrary(libraryFrom)
  if (libraryUrl === null) requireRuntime(libraryFrom)
  const model = readModelFolder(options.folder)
  const dimensions = options.dimensions ?? model.dimensions
  if (dimensions > model.dimensions) {
    throw new Error(`EMBEDDING_DIMENSIONS must be at most ${model.dimensions}, the number that the model has`)
  }
  return libraryUrl === null
    ? createFolderEmbedder(options.name, model, dimensions, reader)
    : new TransformersEmbedder(options.name, model, dimensions, libraryUrl)
}

class TransformersEmbedder implements Embedder {
  readonly id: string
  readonly dimensions: number
  readonly batchSize = BATCH_SIZE
  readonly answersAtOnce = false
  readonly #model: ModelFolder
  readonly #libraryUrl: string
  /** A single slot: one run uses all cores, and a second run at the same time would only cost memory. */
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
    // With pooling by the last token, a batch has one text: in a shorter row of a batch the last token is padding.
    const size = this.#model.pooling === 'last_token' ? 1 : BATCH_SIZE
    for (let i = 0; i < texts.length; i += size) {
      const batch = texts.slice(i, i + size).map((text) => this.#model.prompts[purpose] + text)
      vectors.push(...(await this.#slot.run(OWNER, () => this.#run(batch, signal), { signal })))
    }
    return vectors
  }

  async prepare(): Promise<void> {
    await this.#loaded()
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

  /**
   * Loads the model once. After a failure, the next call loads again, because the operator may have repaired the files.
   */
  async #loaded(): Promise<Extractor> {
    try {
      return await (this.#extractor ??= this.#load())
    } catch (cause) {
      this.#extractor = null
      const options = { retryAfterMs: RELOAD_MS, cause }
      throw new EmbeddingUnavailable('the model in the folder of EMBEDDING_MODEL cannot be loaded', options)
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

/** Returns the URL of the library; null when it is not installed. */
function findLibrary(from: string): string | null {
  try {
    return pathToFileURL(createRequire(from).resolve('@huggingface/transformers')).href
  } catch {
    return null
  }
}

/** @throws Error that names the setting when the service's own runtime can run no model here */
function requireRuntime(from: string): void {
  const absence = runtimeAbsence(from)
  if (absence === null) return
  throw new Error(
    `EMBEDDING_PROVIDER transformers needs a runtime of models, and ${absence}: ` +
      'npm ci --omit=dev --ignore-scripts installs it; so does npm install @huggingface/transformers@4 with one of its own',
  )
}
