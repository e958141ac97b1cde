import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { Tokenizer } from '@huggingface/tokenizers'
import { EmbeddingNonsense } from '../embedder.ts'
import { normalizeInPlace } from '../vectors.ts'
import { RUNTIME } from './availability.ts'
import type { ReaderData } from './protocol.ts'
import type { Purpose } from './reader.ts'
import { windowsOf } from './windows.ts'

/**
 * Most characters of a text that are read, about ten windows. No passage has as many. It bounds the time of a text, and
 * the memory of the tokenizer, which looks at all ways to cut a word.
 */
const CHARACTERS_MAX = 10_000

/**
 * A run of more combining marks than real text has. Unicode reorders such a run in quadratic time, so the marks beyond
 * the first 30, the bound of UAX #15 (stream-safe text format), are removed.
 */
const ENDLESS_MARKS = /(\p{M}{30})\p{M}+/gu

/**
 * Lets threads of a run sleep where they wait for each other, rather than turn in a loop that takes twice the processor
 * time, and on a busy machine makes a run slower, too.
 */
const WITHOUT_SPINNING = { session: { intra_op: { allow_spinning: '0' } } }

/** The parts of config.json that reading needs. */
interface ModelConfig {
  readonly hidden_size: number
  readonly prefix: Readonly<Record<Purpose, string>>
  readonly output: string
}

/** The parts of onnxruntime-node in use. The package's own types are missing where it is not installed. */
interface Runtime {
  readonly InferenceSession: { create(path: string, options: object): Promise<Session> }
  readonly Tensor: new (type: 'int64', data: BigInt64Array, dims: readonly number[]) => object
}

interface Session {
  run(inputs: Readonly<Record<string, object>>): Promise<Readonly<Record<string, Output>>>
}

interface Output {
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
 * The contextual model with its runtime. A run has one text only: the quantisation takes its scale from all that is in
 * a run, so that beside others a text would get another vector. A run blocks the thread.
 */
export class ContextualModel {
  readonly #runtime: Runtime
  readonly #session: Session
  readonly #tokenizer: Tokenizer
  readonly #config: ModelConfig
  /** Number of tokens of `<s>` and the prefix. */
  readonly #leads: Readonly<Record<Purpose, number>>
  readonly #blanks: ReadonlySet<number>

  private constructor(runtime: Runtime, session: Session, tokenizer: Tokenizer, config: ModelConfig) {
    this.#runtime = runtime
    this.#session = session
    this.#tokenizer = tokenizer
    this.#config = config
    // A text of nothing has the tokens of the prefix between those of its beginning and end.
    this.#leads = { query: this.idsOf('', 'query').length - 1, passage: this.idsOf('', 'passage').length - 1 }
    this.#blanks = new Set(['<unk>', '▁'].flatMap((piece) => tokenizer.token_to_id(piece) ?? []))
  }

  /** Loads the model. @throws Error when the runtime or a file is missing or broken */
  static async load({ folder, runtimeFrom, threads }: ReaderData): Promise<ContextualModel> {
    const runtime = await importRuntime(runtimeFrom)
    const config = readJson(folder, 'config.json') as ModelConfig
    const tokenizer = new Tokenizer(readJson(folder, 'tokenizer.json'), {})
    const session = await runtime.InferenceSession.create(fileURLToPath(new URL('model.onnx', folder)), {
      intraOpNumThreads: threads,
      interOpNumThreads: 1,
      executionMode: 'sequential',
      // Patterns of memory are kept for each length of a text, and make no run faster.
      enableMemPattern: false,
      ...(threads > 1 ? { extra: WITHOUT_SPINNING } : {}),
    })
    return new ContextualModel(runtime, session, tokenizer, config)
  }

  /** Returns the ids of a text's tokens, with those of its beginning, its prefix and its end. */
  idsOf(text: string, purpose: Purpose): number[] {
    const read = text.slice(0, CHARACTERS_MAX).replace(ENDLESS_MARKS, '$1')
    return this.#tokenizer.encode(this.#config.prefix[purpose] + read).ids
  }

  /** Cuts a text into tokens, and these into windows. */
  tokenize(text: string, purpose: Purpose): TokenizedText {
    const ids = this.idsOf(text, purpose)
    const lead = this.#leads[purpose]
    // Texts of which the vocabulary knows nothing all have the same tokens, and would be alike to the model.
    const isBlank = ids.slice(lead, -1).every((id) => this.#blanks.has(id))
    return { windows: isBlank ? [] : windowsOf(ids, lead), tokens: ids.length }
  }

  /** Reads a window. @returns its vector, of length 1 @throws EmbeddingNonsense */
  async run(ids: readonly number[]): Promise<Float32Array> {
    const { Tensor } = this.#runtime
    const dims = [1, ids.length]
    const { [this.#config.output]: output } = await this.#session.run({
      input_ids: new Tensor('int64', BigInt64Array.from(ids, BigInt), dims),
      attention_mask: new Tensor('int64', new BigInt64Array(ids.length).fill(1n), dims),
    })
    const width = this.#config.hidden_size
    const vector = new Float32Array(width)
    const { data } = output
    for (let at = 0; at < data.length; at++) vector[at % width] += data[at]
    output.dispose()
    if (!normalizeInPlace(vector).every(Number.isFinite)) {
      throw new EmbeddingNonsense('the contextual model gave a number that is not finite')
    }
    return vector
  }
}

async function importRuntime(from: string): Promise<Runtime> {
  const path = createRequire(from).resolve(RUNTIME)
  const module = (await import(pathToFileURL(path).href)) as { readonly default: Runtime }
  return module.default
}

function readJson(folder: string, name: string): object {
  return JSON.parse(readFileSync(new URL(name, folder), 'utf8')) as object
}
