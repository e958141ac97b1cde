import { type Fault, Outage, unavailable } from '../platform/faults.ts'

/** A provider that answers nonsense does so until somebody mends it. */
const REJECTED_RETRY_SECONDS = 60

/**
 * What turns text into vectors. Every vector an embedder returns is L2-normalised float32 of
 * `dimensions` components, or all zeros when the model knows nothing of the text ("no semantic score").
 */
export interface Embedder {
  /** Names the vector space: provider, model and dimensions. Vectors of different ids are never compared. */
  readonly id: string
  readonly dimensions: number
  /** Texts one call may carry; callers split longer lists. */
  readonly batchSize: number
  /**
   * The vectors of `texts`, in their order. An empty list gives an empty list.
   * @throws EmbeddingUnavailable when the provider cannot answer now; the caller may try again later
   * @throws EmbeddingRejected when the provider refuses this input for good
   */
  embed(texts: readonly string[], purpose: 'query' | 'passage', signal?: AbortSignal): Promise<Float32Array[]>
  close(): Promise<void>
}

/** The provider is down, slow, overloaded or guarded by an open circuit: nothing is wrong with the text. */
export class EmbeddingUnavailable extends Outage {
  override readonly name = 'EmbeddingUnavailable'
  readonly retryAfterMs: number
  constructor(message: string, options: { retryAfterMs?: number; cause?: unknown } = {}) {
    super(message, { cause: options.cause })
    this.retryAfterMs = options.retryAfterMs ?? 1_000
  }

  toFault(cause: unknown): Fault {
    return unavailable('Embedding provider', Math.ceil(this.retryAfterMs / 1_000), cause)
  }
}

/** The provider answered that it will never take this input, or answered nonsense; trying again is pointless. */
export class EmbeddingRejected extends Outage {
  override readonly name = 'EmbeddingRejected'

  toFault(cause: unknown): Fault {
    return unavailable('Embedding provider', REJECTED_RETRY_SECONDS, cause)
  }
}

/** Of the two the nonsense: nothing is known to be wrong with the text. */
export class EmbeddingNonsense extends EmbeddingRejected {}
