import { type Fault, Outage, unavailable } from '../platform/faults.ts'

/** A provider that answers nonsense continues to until somebody repairs it. */
const REJECTED_RETRY_SECONDS = 60

/**
 * Turns text into vectors. Every vector is L2-normalised float32 with `dimensions` components, or all zeros if the
 * model knows nothing in the text ("no semantic score").
 */
export interface Embedder {
  /** Names the vector space: provider, model and dimensions. Vectors of different ids are never compared. */
  readonly id: string
  readonly dimensions: number
  /** Maximum number of texts in one call; callers split longer lists. */
  readonly batchSize: number
  /**
   * The vectors of `texts`, in the same order. An empty list gives an empty list.
   * @param onTokens told how many tokens were embedded, where the provider or model counts them
   * @throws EmbeddingUnavailable when the provider cannot answer now; the caller may retry later
   * @throws EmbeddingRejected when the provider refuses this input for good
   */
  embed(
    texts: readonly string[],
    purpose: 'query' | 'passage',
    signal?: AbortSignal,
    onTokens?: (tokens: number) => void,
  ): Promise<Float32Array[]>
  /** Loads what the first text would otherwise wait for; absent where a provider elsewhere does the work. */
  prepare?(): Promise<void>
  close(): Promise<void>
}

/** The provider is down, slow, overloaded or behind an open circuit. Nothing is wrong with the text. */
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

/** The provider refused this input for good, or answered nonsense. A retry is pointless. */
export class EmbeddingRejected extends Outage {
  override readonly name = 'EmbeddingRejected'

  toFault(cause: unknown): Fault {
    return unavailable('Embedding provider', REJECTED_RETRY_SECONDS, cause)
  }
}

/** The provider's answer was nonsense. Nothing is known to be wrong with the text. */
export class EmbeddingNonsense extends EmbeddingRejected {}
