import { type Fault, Outage, unavailable } from '../platform/faults.ts'
import type { PassageSizes } from './passages.ts'

/** Seconds until a retry makes sense: a provider that answers nonsense goes on until the operator repairs it. */
const REJECTED_RETRY_SECONDS = 60

/**
 * Turns text into vectors. Every vector is L2-normalised float32 with `dimensions` components, or all zeros if the text
 * has nothing of the model's vocabulary. Such a text gets no semantic score.
 */
export interface Embedder {
  /** Name of the vector space: provider, model and dimensions. Vectors of different ids are never compared. */
  readonly id: string
  /** Components of a vector; 0 while they are unknown. */
  readonly dimensions: number
  /** Most texts of one call; callers split longer lists. */
  readonly batchSize: number
  /** Most queries of one call; by default `batchSize`. */
  readonly queryBatchSize?: number
  /** Whether a text takes microseconds, so that also a search that could do without a vector has one. */
  readonly answersAtOnce: boolean
  /**
   * Returns the vectors of `texts`, in the same order. An empty list gives an empty list.
   * @param onTokens called with the number of tokens embedded, if the provider or model counts them
   * @param owner id of the tenant of all texts, if they are of one: where texts are read one by one, tenants take turns
   * @throws EmbeddingUnavailable when the provider cannot answer now; the caller may retry later
   * @throws EmbeddingRejected when the provider refuses this input for good
   */
  embed(
    texts: readonly string[],
    purpose: 'query' | 'passage',
    signal?: AbortSignal,
    onTokens?: (tokens: number) => void,
    owner?: string,
  ): Promise<Float32Array[]>
  /** Sizes of the passages that the model embeds best; by default `PASSAGE_SIZES`. */
  readonly passageSizes?: PassageSizes
  /**
   * Returns, at once, what a text is compared by until it is read, and while the model cannot read. Present where the
   * model takes long to read a text: a write stores what stands in for its vectors, and the queue reads the texts later.
   * That of a passage is longer than 1 where it lacks components that queries have, or all zeros
   * where nothing is known of a text before it is read.
   */
  readonly standIn?: (text: string, purpose: 'query' | 'passage') => Float32Array
  /**
   * Loads the model, for which the first text would otherwise wait; absent where a provider elsewhere runs the model,
   * and where the model is too large to be loaded before it is needed.
   */
  prepare?(): Promise<void>
  close(): Promise<void>
}

/** Says that the provider is down, slow, overloaded or behind an open circuit. Nothing is wrong with the text. */
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

/** Says that the provider refused this input for good, or answered nonsense. A retry is pointless. */
export class EmbeddingRejected extends Outage {
  override readonly name = 'EmbeddingRejected'

  toFault(cause: unknown): Fault {
    return unavailable('Embedding provider', REJECTED_RETRY_SECONDS, cause)
  }
}

/** Says that the provider's answer was nonsense. The text may be right. */
export class EmbeddingNonsense extends EmbeddingRejected {}
