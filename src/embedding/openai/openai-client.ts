import { createRequire } from 'node:module'
import type * as Undici from 'undici'
import { calling } from '../../platform/telemetry/work-record.ts'
import { EmbeddingRejected } from '../embedder.ts'
import { AnswerTooLong, post, type PostAnswer, PostTimeout } from './http-post.ts'
import { readAnswer, tokensIn, UnreadableAnswer } from './openai-answer.ts'
import { failureOf, ProviderFailure } from './openai-failures.ts'
import { parseRetryAfter } from '../retry.ts'

export interface OpenAiEndpoint {
  /** Address that `/embeddings` is added to, such as `https://api.openai.com/v1`. */
  readonly url: URL
  readonly model: string
  readonly apiKey: string | null
  /** Components to request from the provider and to check; null for the number that the model gives. */
  readonly dimensions: number | null
}

/** What a call embeds. */
interface EmbeddingInput {
  readonly texts: readonly string[]
  /** Value of `input_type`; null to send none. */
  readonly inputType: string | null
}

/** Most bytes of an answer for each text: enough for 8,192 dimensions as decimal numbers and the JSON around them. */
const ANSWER_BYTES_PER_TEXT = 256 * 1024
const CONNECT_TIMEOUT_MS = 10_000

/** Makes single calls to an OpenAI-compatible endpoint, without retries and without a limit on parallel calls. */
export class OpenAiClient {
  readonly #endpoint: OpenAiEndpoint
  readonly #agent: Undici.Agent
  readonly #path: string
  readonly #headers: Record<string, string>
  #dimensions: number
  /** Encoding that the server supports. Base64 is a third as long as decimal numbers, but some servers refuse it. */
  #encoding: 'unknown' | 'base64' | 'float' = 'unknown'

  constructor(endpoint: OpenAiEndpoint) {
    this.#endpoint = endpoint
    this.#dimensions = endpoint.dimensions ?? 0
    // Loaded here, so that a service without this provider starts faster.
    const undici = createRequire(import.meta.url)('undici') as typeof Undici
    // Each call has a timer of its own, because undici's timers are coarse and cover only parts of an exchange.
    this.#agent = new undici.Agent({ headersTimeout: 0, bodyTimeout: 0, connect: { timeout: CONNECT_TIMEOUT_MS } })
    this.#path = `${endpoint.url.pathname.replace(/\/+$/, '')}/embeddings${endpoint.url.search}`
    this.#headers = {
      'content-type': 'application/json',
      accept: 'application/json',
      'user-agent': 'knowledge-service',
    }
    if (endpoint.apiKey !== null) this.#headers.authorization = `Bearer ${endpoint.apiKey}`
  }

  /** Components of a vector: those of the settings, else those of the last answer; 0 before the first answer. */
  get dimensions(): number {
    return this.#dimensions
  }

  /**
   * Returns the normalised vectors of the texts, in the same order.
   * @throws ProviderFailure, EmbeddingRejected, or the signal's reason
   */
  async embed(
    input: EmbeddingInput,
    timeoutMs: number,
    signal: AbortSignal | undefined,
    onTokens?: (tokens: number) => void,
  ): Promise<Float32Array[]> {
    const answer = await this.#answer(input, timeoutMs, signal)
    if (answer.status !== 200)
      throw failureOf(answer.status, answer.body, parseRetryAfter(answer.retryAfter, Date.now()))
    let vectors: Float32Array[]
    try {
      // The length is not compared with earlier answers, which may have been wrong: the stored vectors decide.
      vectors = readAnswer(answer.body, input.texts.length, this.#endpoint.dimensions ?? 0)
    } catch (error) {
      throw error instanceof EmbeddingRejected ? error : unreachable(error)
    }
    this.#dimensions = vectors[0].length
    const tokens = tokensIn(answer.body)
    if (tokens !== null) onTokens?.(tokens)
    return vectors
  }

  async close(): Promise<void> {
    await this.#agent.destroy()
  }

  async #answer(input: EmbeddingInput, timeoutMs: number, signal: AbortSignal | undefined): Promise<PostAnswer> {
    if (this.#encoding === 'float') return this.#post(input, false, timeoutMs, signal)
    const answer = await this.#post(input, true, timeoutMs, signal)
    if (answer.status === 200) this.#encoding = 'base64'
    const mayBeStrict = this.#encoding === 'unknown' && (answer.status === 400 || answer.status === 422)
    if (!mayBeStrict) return answer
    // The parameter was the reason for the refusal only if the call succeeds without it.
    const plain = await this.#post(input, false, timeoutMs, signal)
    if (plain.status === 200) this.#encoding = 'float'
    return plain
  }

  async #post(
    { texts, inputType }: EmbeddingInput,
    asBase64: boolean,
    timeoutMs: number,
    signal: AbortSignal | undefined,
  ): Promise<PostAnswer> {
    const { url, model, dimensions } = this.#endpoint
    const body = JSON.stringify({
      model,
      input: texts,
      encoding_format: asBase64 ? 'base64' : undefined,
      dimensions: dimensions ?? undefined,
      input_type: inputType ?? undefined,
    })
    const answerMaxBytes = (texts.length + 1) * ANSWER_BYTES_PER_TEXT
    const request = { origin: url.origin, path: this.#path, body, timeoutMs, answerMaxBytes }
    const attributes = { 'http.request.method': 'POST', 'server.address': url.hostname }
    try {
      return await calling('POST embeddings', attributes, (headers) =>
        post(this.#agent, { ...request, headers: { ...this.#headers, ...headers } }, signal),
      )
    } catch (error) {
      if (signal?.aborted) throw error
      throw unreachable(error)
    }
  }
}

/** Turns an error of the network or of reading the answer into a failure that may be tried again. */
function unreachable(error: unknown): ProviderFailure {
  const isOurs = error instanceof PostTimeout || error instanceof AnswerTooLong || error instanceof UnreadableAnswer
  const code = (error as { code?: unknown }).code
  const reason = isOurs ? error.message : typeof code === 'string' ? code : 'network error'
  return new ProviderFailure(`the embedding provider cannot be used: ${reason}`, { waitAtLeastMs: 0, cause: error })
}
