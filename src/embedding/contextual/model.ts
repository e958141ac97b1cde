import { existsSync, readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { join } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { Tokenizer } from '@huggingface/tokenizers'
import { EmbeddingNonsense } from '../embedder.ts'
import { normalizeInPlace } from '../vectors.ts'
import { RUNTIME } from './availability.ts'
import { boundedText } from './bounded-text.ts'
import type { ModelForm } from './model-form.ts'
import type { ReaderData } from './protocol.ts'
import type { Purpose } from './reader.ts'
import { TOKENS_MAX, windowsOf } from './windows.ts'

/**
 * Lets threads of a run sleep where they wait for each other, rather than turn in a loop that takes twice the processor
 * time, and on a busy machine makes a run slower, too.
 */
const WITHOUT_SPINNING = { session: { intra_op: { allow_spinning: '0' } } }

/** The parts of config.json of the model that ships with the service. */
interface OwnConfig {
  readonly hidden_size: number
  readonly prefix: Readonly<Record<Purpose, string>>
}

/** Makes the inputs that a graph may ask for, for the one text of a run. */
const INPUTS: Readonly<Record<string, (ids: readonly number[]) => BigInt64Array>> = {
  input_ids: (ids) => BigInt64Array.from(ids, BigInt),
  attention_mask: (ids) => new BigInt64Array(ids.length).fill(1n),
  token_type_ids: (ids) => new BigInt64Array(ids.length),
  position_ids: (ids) => BigInt64Array.from(ids.keys(), BigInt),
}

/** Outputs with one vector for each token, by the names that exports give them. */
const OUTPUTS = ['last_hidden_state', 'token_embeddings']

/** The parts of onnxruntime-node in use. The package's own types are missing where it is not installed. */
interface Runtime {
  readonly InferenceSession: { create(path: string, options: object): Promise<Session> }
  readonly Tensor: new (type: 'int64', data: BigInt64Array, dims: readonly number[]) => object
}

interface Session {
  readonly inputNames: readonly string[]
  readonly outputNames: readonly string[]
  run(inputs: Readonly<Record<string, object>>): Promise<Readonly<Record<string, Output>>>
}

interface Output {
  readonly type: string
  readonly dims: readonly number[]
  readonly data: Float32Array
  /** Gives the memory back at once. Without it V8, which sees a small object, keeps it for long. */
  dispose(): void
}

/** A text as the model reads it. */
export interface TokenizedText {
  /** Windows of ids of tokens, each of which is read in a run of its own. None for a text without a known word. */
  readonly windows: readonly (readonly number[])[]
  readonly tokens: number
}

/**
 * A contextual model with its runtime. A run has one text only: the quantisation takes its scale from all that is in
 * a run, so that beside others a text would get another vector. A run blocks the thread.
 */
export class ContextualModel {
  readonly #runtime: Runtime
  readonly #session: Session
  readonly #tokenizer: Tokenizer
  readonly #form: ModelForm
  readonly #output: string
  /** Number of tokens that end every text, such as `</s>`. */
  readonly #trail: number
  /** Number of tokens of `<s>` and the prefix. */
  readonly #leads: Readonly<Record<Purpose, number>>
  readonly #blanks: ReadonlySet<number>

  private constructor(runtime: Runtime, session: Session, tokenizer: Tokenizer, form: ModelForm) {
    this.#runtime = runtime
    this.#session = session
    this.#tokenizer = tokenizer
    this.#form = form
    this.#output = OUTPUTS.find((name) => session.outputNames.includes(name)) ?? session.outputNames[0]
    this.#trail = trailOf(tokenizer)
    // A text of nothing has the tokens of the prefix between those of its beginning and end.
    const leadOf = (purpose: Purpose): number => this.idsOf('', purpose).length - this.#trail
    this.#leads = { query: leadOf('query'), passage: leadOf('passage') }
    this.#blanks = new Set(form.blanks.flatMap((piece) => tokenizer.token_to_id(piece) ?? []))
  }

  get dimensions(): number {
    return this.#form.dimensions
  }

  /** Loads the model. @throws Error when the runtime or a file is missing or broken */
  static async load({ folder, runtimeFrom, threads, form = ownForm(folder) }: ReaderData): Promise<ContextualModel> {
    const runtime = await importRuntime(runtimeFrom)
    const tokenizer = new Tokenizer(readJson(form.folder, 'tokenizer.json'), tokenizerConfig(form.folder))
    const session = await runtime.InferenceSession.create(form.file, {
      intraOpNumThreads: threads,
      interOpNumThreads: 1,
      executionMode: 'sequential',
      // Patterns of memory are kept for each length of a text, and make no run faster.
      enableMemPattern: false,
      ...(threads > 1 ? { extra: WITHOUT_SPINNING } : {}),
    })
    const foreign = session.inputNames.filter((name) => !Object.hasOwn(INPUTS, name))
    if (foreign.length > 0)
      throw new Error(`its graph asks for inputs that only other runtimes give: ${foreign.join(', ')}`)
    return new ContextualModel(runtime, session, tokenizer, form)
  }

  /** Returns the ids of a text's tokens, with those of its beginning, its prefix and its end. */
  idsOf(text: string, purpose: Purpose): number[] {
    return this.#tokenizer.encode(this.#form.prefixes[purpose] + boundedText(text)).ids
  }

  /** Cuts a text into tokens, and these into windows. */
  tokenize(text: string, purpose: Purpose): TokenizedText {
    const ids = this.idsOf(text, purpose)
    if (this.#isBlank(text, ids, purpose)) return { windows: [], tokens: ids.length }
    if (this.#form.whenLonger === 'windows')
      return { windows: windowsOf(ids, this.#leads[purpose]), tokens: ids.length }
    const window = this.#cut(ids)
    return { windows: [window], tokens: window.length }
  }

  /** Tells whether a text says nothing. All such texts have the same tokens, and would be alike to the model. */
  #isBlank(text: string, ids: readonly number[], purpose: Purpose): boolean {
    if (this.#blanks.size === 0) return text.trim() === ''
    return ids.slice(this.#leads[purpose], ids.length - this.#trail).every((id) => this.#blanks.has(id))
  }

  /** Cuts what a run has no room for, but not the tokens that end every text. */
  #cut(ids: readonly number[]): readonly number[] {
    const { tokensMax } = this.#form
    if (ids.length <= tokensMax) return ids
    return [...ids.slice(0, tokensMax - this.#trail), ...ids.slice(ids.length - this.#trail)]
  }

  /** Reads a window. @returns its vector, of length 1 @throws EmbeddingNonsense */
  async run(ids: readonly number[]): Promise<Float32Array> {
    const { Tensor } = this.#runtime
    const dims = [1, ids.length]
    const inputs = this.#session.inputNames.map((name) => [name, new Tensor('int64', INPUTS[name](ids), dims)] as const)
    const outputs = await this.#session.run(Object.fromEntries(inputs))
    const output = outputs[this.#output]
    const { name, pooling, dimensions } = this.#form
    const expected = [...dims, dimensions].join()
    if (output.dims.join() !== expected || output.type !== 'float32') {
      throw new EmbeddingNonsense(`${name} gave ${output.type} [${output.dims.join()}] and not float32 [${expected}]`)
    }
    const vector = pooled(output.data, dimensions, pooling)
    output.dispose()
    if (!normalizeInPlace(vector).every(Number.isFinite)) {
      throw new EmbeddingNonsense(`${name} gave a number that is not finite`)
    }
    return vector
  }
}

async function importRuntime(from: string): Promise<Runtime> {
  const path = createRequire(from).resolve(RUNTIME)
  const module = (await import(pathToFileURL(path).href)) as { readonly default: Runtime }
  return module.default
}

/** Returns the form of the model that ships with the service. @param folder its URL */
function ownForm(folder: string): ModelForm {
  const path = fileURLToPath(folder)
  const { hidden_size: dimensions, prefix: prefixes } = readJson(path, 'config.json') as OwnConfig
  return {
    name: 'the contextual model',
    file: join(path, 'model.onnx'),
    folder: path,
    prefixes,
    dimensions,
    pooling: 'mean',
    tokensMax: TOKENS_MAX,
    whenLonger: 'windows',
    blanks: ['<unk>', '▁'],
  }
}

/** Returns the vector of a text, not normalised. @param data vectors of its tokens, one behind the other */
function pooled(data: Float32Array, width: number, pooling: ModelForm['pooling']): Float32Array {
  if (pooling === 'cls') return data.slice(0, width)
  if (pooling === 'last_token') return data.slice(-width)
  const sum = new Float32Array(width)
  for (let at = 0; at < data.length; at++) sum[at % width] += data[at]
  return sum
}

/** Returns the number of tokens that a tokenizer puts behind each text. */
function trailOf(tokenizer: Tokenizer): number {
  const around: readonly number[] = tokenizer.encode('').ids
  const before: readonly number[] = tokenizer.encode('a').ids
  const lead = around.findIndex((id, i) => id !== before[i])
  return lead < 0 ? 0 : around.length - lead
}

function tokenizerConfig(folder: string): object {
  return existsSync(join(folder, 'tokenizer_config.json')) ? readJson(folder, 'tokenizer_config.json') : {}
}

function readJson(folder: string, name: string): object {
  return JSON.parse(readFileSync(join(folder, name), 'utf8')) as object
}
