import { FairSlots, SlotTimeout } from '../../platform/threads/fair-slots.ts'
import { CircuitBreaker } from '../circuit-breaker.ts'
import { type Embedder, EmbeddingRejected } from '../embedder.ts'
import { OpenAiClient, type OpenAiEndpoint } from './openai-client.ts'
import { ProviderFailure } from './openai-failures.ts'
import { PLAIN, styledName, type TextStyle } from './text-style.ts'
import { retry, SYSTEM_TIMING, type Timing } from '../retry.ts'

type Purpose = 'query' | 'passage'
type OnTokens = (tokens: number) => void

/** Limits of the attempts of a call. */
interface CallLimits {
  readonly attemptTimeoutMs: number
  /** Milliseconds for all attempts, the waits between them and the wait for a free slot. */
  readonly timeoutMs: number
  readonly attemptsMax: number
  /** Most parallel calls; further calls wait for a slot. */
  readonly parallelMax: number
}

/** Limits by purpose: a user waits for the vector of a query, while the queue has time. */
export const CALL_LIMITS: Readonly<Record<Purpose, CallLimits>> = {
  query: { attemptTimeoutMs: 4_000, timeoutMs: 6_000, attemptsMax: 3, parallelMax: 64 },
  passage: { attemptTimeoutMs: 60_000, timeoutMs: 120_000, attemptsMax: 5, parallelMax: 4 },
}

export interface OpenAiOptions extends OpenAiEndpoint {
  /** What the endpoint is told of texts; by default nothing. */
  readonly style?: TextStyle
  readonly limits?: Readonly<Record<Purpose, CallLimits>>
  readonly timing?: Timing
}

/** Most texts of a call: the smallest maximum among servers in common use. */
const BATCH_SIZE = 32
/**
 * Owner of all calls in the slots. An embedder does not know tenants, so calls run in the order in which they arrive.
 */
const OWNER = ''
const RETRY_WAITS = { waitMs: 200, waitMaxMs: 10_000 }
const BREAKER = { failuresMax: 5, openMs: 2_000, openMaxMs: 60_000 }

/**
 * Creates an embedder for any server with OpenAI's `POST /embeddings`. Its id contains the requested dimensions, not
 * the model's, so that the id is known before the first answer. `dimensions` is 0 until then.
 */
export function createOpenAiEmbedder(options: OpenAiOptions): Embedder {
  return new OpenAiEmbedder(options)
}

class OpenAiEmbedder implements Embedder {
  readonly id: string
  readonly batchSize = BATCH_SIZE
  readonly answersAtOnce = false
  readonly #client: OpenAiClient
  readonly #style: TextStyle
  readonly #limits: Readonly<Record<Purpose, CallLimits>>
  readonly #slots: Readonly<Record<Purpose, FairSlots>>
  readonly #breaker: CircuitBreaker
  readonly #timing: Timing
  readonly #closing = new AbortController()

  constructor(options: OpenAiOptions) {
    const { limits = CALL_LIMITS, timing = SYSTEM_TIMING, style = PLAIN, ...endpoint } = options
    this.id = `openai:${styledName(endpoint.model, style)}:${endpoint.dimensions ?? 'default'}`
    this.#style = style
    this.#client = new OpenAiClient(endpoint)
    this.#limits = limits
    this.#slots = {
      query: new FairSlots({ slots: limits.query.parallelMax }),
      passage: new FairSlots({ slots: limits.passage.parallelMax }),
    }
    this.#breaker = new CircuitBreaker({ ...BREAKER, now: () => timing.now() })
    this.#timing = {
      now: () => timing.now(),
      random: () => timing.random(),
      sleep: (ms, signal) => timing.sleep(ms, AbortSignal.any([this.#closing.signal, ...(signal ? [signal] : [])])),
    }
  }

  get dimensions(): number {
    return this.#client.dimensions
  }

  async embed(
    texts: readonly string[],
    purpose: Purpose,
    signal?: AbortSignal,
    onTokens?: OnTokens,
  ): Promise<Float32Array[]> {
    signal?.throwIfAborted()
    if (texts.length === 0) return []
    if (texts.length <= BATCH_SIZE) return this.#embedBatch(texts, purpose, signal, onTokens)
    const batches: Promise<Float32Array[]>[] = []
    for (let i = 0; i < texts.length; i += BATCH_SIZE) {
      batches.push(this.#embedBatch(texts.slice(i, i + BATCH_SIZE), purpose, signal, onTokens))
    }
    return (await Promise.all(batches)).flat()
  }

  async close(): Promise<void> {
    this.#closing.abort(new ProviderFailure('the service is stopping', { waitAtLeastMs: null }))
    await this.#client.close()
  }

  #embedBatch(
    texts: readonly string[],
    purpose: Purpose,
    signal?: AbortSignal,
    onTokens?: OnTokens,
  ): Promise<Float32Array[]> {
    const { timeoutMs, attemptsMax } = this.#limits[purpose]
    const deadline = this.#timing.now() + timeoutMs
    const attempt = () => this.#inTurn(texts, purpose, deadline, signal, onTokens)
    return retry(attempt, { ...RETRY_WAITS, attemptsMax, deadline }, waitAtLeastMs, this.#timing, signal)
  }

  /** Makes one attempt, once a slot is free. */
  async #inTurn(
    texts: readonly string[],
    purpose: Purpose,
    deadline: number,
    signal: AbortSignal | undefined,
    onTokens: OnTokens | undefined,
  ): Promise<Float32Array[]> {
    const { prefixes, inputTypes } = this.#style
    const prefixed = texts.map((text) => prefixes[purpose] + text)
    const inputType = inputTypes?.[purpose] ?? null
    const remainingMs = () => Math.max(1, deadline - this.#timing.now())
    const attempt = () => {
      const timeoutMs = Math.min(this.#limits[purpose].attemptTimeoutMs, remainingMs())
      return this.#guarded(
        () => this.#client.embed({ texts: prefixed, inputType }, timeoutMs, signal, onTokens),
        signal,
      )
    }
    try {
      return await this.#slots[purpose].run(OWNER, attempt, { waitMs: remainingMs(), signal })
    } catch (error) {
      if (error instanceof SlotTimeout)
        throw new ProviderFailure('the embedding provider is too busy', { waitAtLeastMs: null })
      throw error
    }
  }

  /**
   * Makes a call through the circuit breaker. A refused text or a caller that gave up is no failure of the provider.
   */
  async #guarded(call: () => Promise<Float32Array[]>, signal: AbortSignal | undefined): Promise<Float32Array[]> {
    this.#closing.signal.throwIfAborted()
    const permit = this.#breaker.enter()
    if (typeof permit === 'number') {
      const options = { waitAtLeastMs: null, retryAfterMs: Math.ceil(permit) }
      throw new ProviderFailure('the embedding provider failed repeatedly and is not called for a while', options)
    }
    let outcome: 'success' | 'failure' | 'abandoned' = 'success'
    try {
      return await call()
    } catch (error) {
      if (signal?.aborted) outcome = 'abandoned'
      else if (!(error instanceof EmbeddingRejected)) outcome = 'failure'
      throw error
    } finally {
      this.#breaker.leave(permit, outcome)
    }
  }
}

function waitAtLeastMs(error: unknown): number | null {
  return error instanceof ProviderFailure ? error.waitAtLeastMs : null
}
